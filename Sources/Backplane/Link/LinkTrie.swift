/// Leaves by their segments: a look-up costs what the link's own segments cost, however many leaves there are.
///
/// All edges are in one dictionary, keyed by node and label. Labels are compared as bytes: strings would compare by
/// canonical equivalence, and then the Kelvin sign passes for a K.
struct LinkTrie {
    private struct Edge: Hashable {
        let parent: Int
        let label: ArraySlice<UInt8>

        func hash(into hasher: inout Hasher) {
            hasher.combine(parent)
            label.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    private struct Node {
        var parameter: Int?
        var leaf: Int?
    }

    private var nodes: [Node] = []
    private var edges: [Edge: Int] = [:]

    /// Adds a tree of its own and returns its root.
    mutating func makeRoot() -> Int {
        nodes.append(Node())
        return nodes.count - 1
    }

    /// Puts `leaf` at the end of `segments`, unless there is one: then that is returned and stays.
    mutating func insert(_ leaf: Int, at segments: [LinkTemplate.Segment], root: Int) -> Int? {
        var node = root
        for segment in segments {
            switch segment {
            case .literal(let label):
                let edge = Edge(parent: node, label: label[...])
                if let child = edges[edge] {
                    node = child
                } else {
                    let child = makeRoot()
                    edges[edge] = child
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

    /// The leaf that `segments` lead to, a literal preferred over a parameter from left to right.
    ///
    /// A dead end goes back to the last parameter not tried. Each node is reached by one path only, so none is visited
    /// twice, and at most two per depth are open.
    func leaf(at segments: ArraySlice<ArraySlice<UInt8>>, from node: Int) -> Int? {
        guard let segment = segments.first else { return nodes[node].leaf }
        let rest = segments.dropFirst()
        if let child = edges[Edge(parent: node, label: segment)], let leaf = leaf(at: rest, from: child) { return leaf }
        return nodes[node].parameter.flatMap { leaf(at: rest, from: $0) }
    }
}
