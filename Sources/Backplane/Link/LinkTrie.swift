/// A tree that finds leaves by their segments.
///
/// The cost of a look-up depends on the link's own segments, not on the number of leaves. All edges
/// are in one dictionary, keyed by node and label.
struct LinkTrie {
    private struct Edge: Hashable {
        let parent: Int
        let label: String

        func hash(into hasher: inout Hasher) {
            hasher.combine(parent)
            var label = label
            label.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }

        static func == (a: Self, b: Self) -> Bool { a.parent == b.parent && a.label.hasSameBytes(as: b.label) }
    }

    private struct Node {
        var parameter: Int?
        var leaf: Int?
        /// Whether there are edges to literals; most nodes have none.
        var hasLiterals = false
    }

    private var nodes: [Node] = []
    private var edges: [Edge: Int] = [:]
    /// The length of the longest literal.
    ///
    /// Longer segments are not looked up. Otherwise each dead end could cost the hash of a text as
    /// long as the link.
    private var longestLiteral = 0

    /// Adds a separate tree and returns its root.
    mutating func makeRoot() -> Int {
        nodes.append(Node())
        return nodes.count - 1
    }

    /// Adds `leaf` at the end of `segments`.
    ///
    /// If there is a leaf already, that one stays and is returned. Otherwise returns `nil`.
    mutating func insert(_ leaf: Int, at segments: [LinkTemplate.Segment], root: Int) -> Int? {
        var node = root
        for segment in segments {
            switch segment {
            case .literal(let label):
                let edge = Edge(parent: node, label: label)
                if let child = edges[edge] {
                    node = child
                } else {
                    let child = makeRoot()
                    edges[edge] = child
                    nodes[node].hasLiterals = true
                    longestLiteral = max(longestLiteral, label.utf8.count)
                    node = child
                }
            case .parameter:
                if let child = nodes[node].parameter {
                    node = child
                } else {
                    let child = makeRoot()
                    nodes[node].parameter = child
                    node = child
                }
            }
        }
        if let existing = nodes[node].leaf { return existing }
        nodes[node].leaf = leaf
        return nil
    }

    /// Returns the leaf that the segments of `link` lead to.
    ///
    /// From left to right, a literal is preferred to a parameter. A dead end returns to the last
    /// parameter that was not tried. Only one path leads to each node, so no node is visited twice.
    /// Each visited node begins templates that match the link so far.
    func leaf(of link: DecodedLink, from node: Int, depth: Int = 0) -> Int? {
        guard depth < link.segments.count else { return nodes[node].leaf }
        let segment = link.segments[depth]
        if nodes[node].hasLiterals, segment.utf8.count <= longestLiteral,
            let child = edges[Edge(parent: node, label: segment)],
            let leaf = leaf(of: link, from: child, depth: depth + 1)
        {
            return leaf
        }
        return nodes[node].parameter.flatMap { leaf(of: link, from: $0, depth: depth + 1) }
    }

    /// Returns whether every link that `segments` match leads to a leaf.
    ///
    /// A parameter among the segments may have any value.
    func hasLeaf(at segments: ArraySlice<LinkTemplate.Segment>, from node: Int) -> Bool {
        guard let segment = segments.first else { return nodes[node].leaf != nil }
        let rest = segments.dropFirst()
        if case .literal(let label) = segment, let child = edges[Edge(parent: node, label: label)],
            hasLeaf(at: rest, from: child)
        {
            return true
        }
        return nodes[node].parameter.map { hasLeaf(at: rest, from: $0) } ?? false
    }
}
