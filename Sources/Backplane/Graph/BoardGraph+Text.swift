extension BoardGraph {
    /// The graph as a [Mermaid](https://mermaid.js.org) flowchart.
    ///
    /// GitHub and many editors can draw it.
    public var mermaid: String {
        let styles = ["    classDef unregistered stroke-dasharray: 4", "    classDef live stroke-width: 3px"]
        return (["flowchart LR"] + mermaidLines(prefix: "n", indent: "    ") + styles).joined(separator: "\n") + "\n"
    }

    /// The graph in the [DOT](https://graphviz.org/doc/info/lang.html) language of Graphviz.
    public var dot: String {
        (["digraph boards {", "    rankdir=LR;", "    node [shape=box];"] + dotLines(prefix: "n", indent: "    ") + [
            "}"
        ])
        .joined(separator: "\n") + "\n"
    }

    // Nodes are numbered, because a board name may be a keyword, for example `end` in Mermaid.

    private func mermaidLines(prefix: String, indent: String) -> [String] {
        let names = nodeNames(prefix)
        var lines = nodes.enumerated().map { index, node in
            let live = node.liveCount > 0 ? ":::live" : node.isMissing ? ":::unregistered" : ""
            return "\(indent)\(prefix)\(index)[\"\(Self.mermaid(node.board.name))\"]\(live)"
        }
        for edge in edges {
            guard let from = names[edge.from], let to = names[edge.to] else { continue }
            let arrow =
                switch edge.kind {
                case .gate: "-. gate .->"
                case .combined: "-- combined -->"
                case .entrance: "-- enters -->"
                case .scope: "-. holds .->"
                default: "-->"
                }
            lines.append("\(indent)\(from) \(arrow) \(to)")
        }
        for (index, link) in links.enumerated() {
            guard let board = names[link.board] else { continue }
            let text = Self.mermaid(link.text)
            lines.append("\(indent)\(prefix)l\(index)([\"\(text)\"]) -.-> \(board)")
        }
        for (index, point) in points.enumerated() {
            lines.append("\(indent)\(prefix)p\(index){{\"\(Self.mermaid(point.text))\"}}")
        }
        for (index, inside) in insides.enumerated() {
            lines.append("\(indent)subgraph \(prefix)s\(index)[\"\(Self.mermaid(inside.board.description))\"]")
            lines += inside.graph.mermaidLines(prefix: "\(prefix)s\(index)n", indent: indent + "    ")
            lines.append("\(indent)end")
        }
        return lines
    }

    private func dotLines(prefix: String, indent: String) -> [String] {
        let names = nodeNames(prefix)
        var lines = nodes.enumerated().map { index, node in
            let style = node.liveCount > 0 ? ", style=bold" : node.isMissing ? ", style=dashed" : ""
            return "\(indent)\(prefix)\(index) [label=\(Self.quoted(node.board.name))\(style)];"
        }
        for edge in edges {
            guard let from = names[edge.from], let to = names[edge.to] else { continue }
            let attributes =
                switch edge.kind {
                case .gate: " [label=\"gate\", style=dashed]"
                case .combined: " [label=\"combined\"]"
                case .entrance: " [label=\"enters\"]"
                case .scope: " [label=\"holds\", style=dashed]"
                default: ""
                }
            lines.append("\(indent)\(from) -> \(to)\(attributes);")
        }
        for (index, link) in links.enumerated() {
            guard let board = names[link.board] else { continue }
            lines.append(
                "\(indent)\(prefix)l\(index) [label=\(Self.quoted(link.text)), shape=plaintext];"
            )
            lines.append("\(indent)\(prefix)l\(index) -> \(board) [style=dotted];")
        }
        for (index, point) in points.enumerated() {
            lines.append("\(indent)\(prefix)p\(index) [label=\(Self.quoted(point.text)), shape=hexagon];")
        }
        for (index, inside) in insides.enumerated() {
            lines.append("\(indent)subgraph cluster_\(prefix)s\(index) {")
            lines.append("\(indent)    label=\(Self.quoted(inside.board.description));")
            lines += inside.graph.dotLines(prefix: "\(prefix)s\(index)n", indent: indent + "    ")
            lines.append("\(indent)}")
        }
        return lines
    }

    private func nodeNames(_ prefix: String) -> [AnyBoardID: String] {
        Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.board, "\(prefix)\($0)") })
    }

    // By scalars, because a quote with an accent is one character, and both languages see only
    // scalars.

    /// Escapes a text for the inside of Mermaid's quotes, with numbers for special characters.
    ///
    /// The text must not be empty, and a leading backquote would start Markdown.
    private static func mermaid(_ text: String) -> String {
        if text.isEmpty { return " " }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\"", "#", "<", ">", "&", "`", "\n", "\r": result += "#\(scalar.value);"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return "\"\(escaped)\""
    }
}

extension BoardGraph.Node {
    /// Whether the board is not registered, and no scope has to be entered to know this.
    fileprivate var isMissing: Bool { !isRegistered && scopeToEnter == nil }
}

extension BoardGraph.Point {
    /// The name and the number of contributions.
    fileprivate var text: String { "\(name) × \(count)" }
}

extension BoardGraph.Link {
    /// The template in readable form; the empty template is the root.
    fileprivate var text: String {
        let written = template.description
        return written.hasPrefix("/") || written.contains("://") ? written : "/\(written)"
    }
}
