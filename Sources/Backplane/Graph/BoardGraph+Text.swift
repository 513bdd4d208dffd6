extension BoardGraph {
    /// The graph as a [Mermaid](https://mermaid.js.org) flowchart.
    ///
    /// GitHub and many editors can draw it.
    public var mermaid: String {
        let styles = ["    classDef unregistered stroke-dasharray: 4", "    classDef live stroke-width: 3px"]
        return text(["flowchart LR"] + lines(in: .mermaid, prefix: "n", indent: "    ") + styles)
    }

    /// The graph in the [DOT](https://graphviz.org/doc/info/lang.html) language of Graphviz.
    public var dot: String {
        let head = ["digraph boards {", "    rankdir=LR;", "    node [shape=box];"]
        return text(head + lines(in: .dot, prefix: "n", indent: "    ") + ["}"])
    }

    private enum Language {
        case mermaid, dot
    }

    private func text(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }

    // Nodes are numbered, because a board name may be a keyword, for example `end` in Mermaid.

    private func lines(in language: Language, prefix: String, indent: String) -> [String] {
        let names = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.board, "\(prefix)\($0)") })
        var lines: [String] = []
        func add(mermaid: @autoclosure () -> String, dot: @autoclosure () -> String) {
            lines.append(indent + (language == .mermaid ? mermaid() : dot()))
        }
        for (index, node) in nodes.enumerated() {
            let (tag, style) =
                if node.liveCount > 0 {
                    (":::live", ", style=bold")
                } else {
                    node.isMissing ? (":::unregistered", ", style=dashed") : ("", "")
                }
            add(
                mermaid: "\(prefix)\(index)[\"\(Self.mermaid(node.board.name))\"]\(tag)",
                dot: "\(prefix)\(index) [label=\(Self.quoted(node.board.name))\(style)];"
            )
        }
        for edge in edges {
            guard let from = names[edge.from], let to = names[edge.to] else { continue }
            let (arrow, attributes) =
                switch edge.kind {
                case .gate: ("-. gate .->", " [label=\"gate\", style=dashed]")
                case .combined: ("-- combined -->", " [label=\"combined\"]")
                case .entrance: ("-- enters -->", " [label=\"enters\"]")
                case .scope: ("-. holds .->", " [label=\"holds\", style=dashed]")
                case .flow, .handler: ("-->", "")
                }
            add(mermaid: "\(from) \(arrow) \(to)", dot: "\(from) -> \(to)\(attributes);")
        }
        for (index, link) in links.enumerated() {
            guard let board = names[link.board] else { continue }
            let name = "\(prefix)l\(index)"
            add(
                mermaid: "\(name)([\"\(Self.mermaid(link.text))\"]) -.-> \(board)",
                dot:
                    "\(name) [label=\(Self.quoted(link.text)), shape=plaintext];\n\(indent)\(name) -> \(board) [style=dotted];"
            )
        }
        for (index, point) in points.enumerated() {
            add(
                mermaid: "\(prefix)p\(index){{\"\(Self.mermaid(point.text))\"}}",
                dot: "\(prefix)p\(index) [label=\(Self.quoted(point.text)), shape=hexagon];"
            )
        }
        for (index, inside) in insides.enumerated() {
            let (name, title) = ("\(prefix)s\(index)", inside.board.description)
            add(
                mermaid: "subgraph \(name)[\"\(Self.mermaid(title))\"]",
                dot: "subgraph cluster_\(name) {\n\(indent)    label=\(Self.quoted(title));"
            )
            lines += inside.graph.lines(in: language, prefix: "\(name)n", indent: indent + "    ")
            add(mermaid: "end", dot: "}")
        }
        return lines
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
