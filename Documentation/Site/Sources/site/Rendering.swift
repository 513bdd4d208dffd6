import Foundation

/// Returns Markdown as HTML, rendered by `cmark-gfm`.
func html(of markdown: String) throws -> String {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["cmark-gfm", "--unsafe", "--extension", "table", "--extension", "autolink", "--to", "html"]
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    // Written from another thread, because a full pipe of output would block both.
    Thread.detachNewThread {
        try? input.fileHandleForWriting.write(contentsOf: Data(markdown.utf8))
        try? input.fileHandleForWriting.close()
    }
    let result = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure("cmark-gfm ended with \(process.terminationStatus)") }
    return String(decoding: result, as: UTF8.self)
}

/// Returns the anchor of a heading.
///
/// DocC and GitHub build different anchors. Both become the same here: letters and digits in lower
/// case, joined by hyphens.
func anchor(of heading: some StringProtocol) -> String {
    heading.lowercased().filter { !"'’`".contains($0) }
        .split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
}

/// Returns HTML in which each heading has an anchor, and the anchors.
func addAnchors(to html: String) -> (html: String, anchors: Set<String>) {
    var anchors: Set<String> = []
    let html = html.replacing(#/<h([1-4])>(.*?)</h[1-4]>/#) { match in
        let plain = match.2.replacing(#/<[^>]*>/#, with: "").unescaped
        var id = anchor(of: plain)
        if !anchors.insert(id).inserted {
            id += "-\(anchors.count)"
            anchors.insert(id)
        }
        return "<h\(match.1) id=\"\(id)\">\(match.2)</h\(match.1)>"
    }
    return (html, anchors)
}

/// Returns HTML in which the Swift code has elements for its keywords, strings, types and comments.
func highlight(_ html: String) -> String {
    let token = #/(//[^\n]*)|(&quot;(?:[^&\n\\]|\\.|&(?!quot;))*&quot;)|([@#]?\b[A-Za-z_]\w*)/#
    return html.replacing(#/<pre><code class="language-swift">([\s\S]*?)</code></pre>/#) { block in
        let code = block.1.replacing(token) { match -> String in
            let text = String(match.0)
            if match.1 != nil { return "<i>\(text)</i>" }
            if match.2 != nil { return "<s>\(text)</s>" }
            if keywords.contains(text) || text.hasPrefix("@") { return "<b>\(text)</b>" }
            return text.first?.isUppercase == true ? "<u>\(text)</u>" : text
        }
        return "<pre><code class=\"language-swift\">\(code)</code></pre>"
    }
}

/// Returns HTML in which the keyboard reaches what may be wider than the screen.
func makeScrollable(_ html: String) -> String {
    html.replacing("<pre>", with: "<pre tabindex=\"0\">")
        .replacing("<table>", with: "<div class=\"scroll\" tabindex=\"0\"><table>")
        .replacing("</table>", with: "</table></div>")
}

private let keywords: Set<String> = [
    "actor", "any", "as", "async", "await", "case", "catch", "class", "default", "defer", "do", "else", "enum",
    "extension",
    "false", "final", "for", "func", "guard", "if", "import", "in", "init", "inout", "is", "isolated", "let", "nil",
    "nonisolated", "package", "private", "protocol", "public", "repeat", "return", "self", "Self", "some", "static",
    "struct",
    "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "weak", "where", "while",
]

extension StringProtocol {
    /// The text with entities for the characters that HTML reserves.
    var escaped: String { entities.reduce(String(self)) { $0.replacing($1.character, with: $1.entity) } }

    /// The text with characters for the entities that `cmark-gfm` writes.
    var unescaped: String { entities.reversed().reduce(String(self)) { $0.replacing($1.entity, with: $1.character) } }
}

/// The ampersand comes first when characters are replaced, and last when entities are.
private let entities = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")]
    .map { (character: $0.0, entity: $0.1) }
