import Foundation

/// The pages of the site, and the files in which they are written.
struct Site {
    let repository: URL
    let output: URL
    /// The translations whose original has changed.
    let stale: Set<String>
    private(set) var pages: [Page] = []
    private var positions: [String: Int] = [:]
    private var sources: [String: Int] = [:]
    private var anchors: [String: Set<String>] = [:]
    /// Links that lead nowhere.
    private(set) var deadLinks: [String] = []
    private let template: String

    init(repository: URL, output: URL, stale: Set<String>, template: String) {
        (self.repository, self.output, self.stale, self.template) = (repository, output, stale, template)
    }

    mutating func add(_ page: Page) {
        positions[page.path] = pages.count
        if let source = page.source { sources[source] = pages.count }
        pages.append(page)
    }

    /// Writes each page as HTML and as Markdown, with the search's index and a list for programs.
    mutating func write() throws {
        var rendered: [String] = []
        for page in pages {
            var (html, anchors) = addAnchors(to: try html(of: page.markdown))
            // DocC does not name the language of declarations.
            if page.kind == .symbol { html.replace("<pre><code>", with: "<pre><code class=\"language-swift\">") }
            rendered.append(makeScrollable(highlight(html)))
            self.anchors[page.path] = anchors
        }
        var index = SearchIndex()
        for (page, html) in zip(pages, rendered) {
            try write(fill(page, with: resolveLinks(in: html, of: page)), to: page.path + ".html")
            try write(resolveMarkdownLinks(of: page), to: page.path + ".md")
            index.add(page)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try write(String(decoding: encoder.encode(index), as: UTF8.self), to: "search.json")
        try write(list(of: pages.filter { $0.kind != .symbol }), to: "llms.txt")
        let all = Page(
            kind: .guide,
            path: "all",
            title: "All pages",
            language: "en",
            markdown: "# All pages\n\n"
                + pages.map { "- [\($0.title.literal)](<\($0.path).html>)" }.joined(separator: "\n")
        )
        try write(fill(all, with: try html(of: all.markdown)), to: "all.html")
    }

    /// Writes a page that is made from other text than Markdown.
    func writePage(_ title: String, _ content: String, to path: String) throws {
        let page = Page(kind: .guide, path: path, title: title, language: "en", markdown: "")
        try write(fill(page, with: content), to: path + ".html")
    }

    private func write(_ text: String, to path: String) throws {
        let file = output.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: false, encoding: .utf8)
    }

    /// Returns the list of pages that programs read (llmstxt.org).
    private func list(of pages: [Page]) -> String {
        let lines = pages.map { "- [\($0.title)](\($0.path).md)" + ($0.abstract.isEmpty ? "" : ": \($0.abstract)") }
        return "# Backplane\n\n> \(self.pages.first?.abstract ?? "")\n\n## Pages\n\n\(lines.joined(separator: "\n"))\n"
    }
}

// MARK: - Templates

extension Site {
    private static let staleBanner = """
        <p class="stale"><strong>Bản dịch này đã cũ:</strong> trang tiếng Anh đã thay đổi sau khi được dịch.</p>

        """

    private func fill(_ page: Page, with content: String) -> String {
        let values = [
            "language": page.language,
            "title": page.title.escaped,
            "root": root(of: page),
            "trail": trail(of: page),
            "other": otherLanguage(of: page),
            "content": (page.source.map(stale.contains) ?? false ? Self.staleBanner : "") + content,
        ]
        return template.replacing(#/{{([a-z]+)}}/#) { values[String($0.1)] ?? "" }
    }

    /// The relative path from a page to the root of the site.
    private func root(of page: Page) -> String {
        String(repeating: "../", count: page.path.count { $0 == "/" })
    }

    /// The pages around a page of DocC, outermost first.
    private func trail(of page: Page) -> String {
        let parts = page.path.split(separator: "/")
        let ancestors = parts.indices.dropFirst(1).compactMap { end -> String? in
            let path = parts[..<end].joined(separator: "/")
            return positions[path].map { link(to: path, title: pages[$0].title, from: page) }
        }
        return ancestors.joined(separator: " › ")
    }

    private func otherLanguage(of page: Page) -> String {
        let other =
            page.original.flatMap { sources[$0] }
            ?? pages.firstIndex { $0.original != nil && $0.original == page.source }
        return other.map {
            link(to: pages[$0].path, title: page.original == nil ? "Tiếng Việt" : "English", from: page)
        } ?? ""
    }

    private func link(to path: String, title: String, from page: Page) -> String {
        "<a href=\"\(root(of: page))\(path.encodedPath).html\">\(title.escaped)</a>"
    }
}

// MARK: - Links

extension Site {
    private mutating func resolveLinks(in html: String, of page: Page) -> String {
        var dead: [String] = []
        let result = html.replacing(#/(href|src|srcset)="([^"]*)"/#) { match in
            let target = match.2.unescaped
            guard let resolved = resolve(target, from: page) else {
                dead.append("\(page.source ?? page.path): \(target)")
                return String(match.0)
            }
            return "\(match.1)=\"\(resolved.escaped)\""
        }
        deadLinks += dead
        return result
    }

    /// Returns the address of a link's target, relative to a page, or `nil` if there is none.
    private func resolve(_ target: String, from page: Page) -> String? {
        if target.contains(#/^[a-z]+:/#) { return target }
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let fragment = parts.count > 1 ? anchor(of: parts[1].removingPercentEncoding ?? "") : ""
        let path = parts[0].removingPercentEncoding ?? ""
        let file = path.hasPrefix("/") ? nil : repositoryFile(path, from: page)
        let position =
            path.isEmpty ? positions[page.path] : file.map { sources[$0] } ?? positions[path.dropFirst().lowercased()]
        guard let position else {
            // A folder has the page of its README, or none. Files that are no pages are copied.
            guard let file, let copied = copy(file) else { return nil }
            return root(of: page) + copied
        }
        let target = pages[position].path
        guard fragment.isEmpty || anchors[target]?.contains(fragment) ?? false else { return nil }
        return root(of: page) + target.encodedPath + ".html" + (fragment.isEmpty ? "" : "#\(fragment)")
    }

    private func repositoryFile(_ path: String, from page: Page) -> String? {
        guard let source = page.source else { return nil }
        var parts = source.split(separator: "/").dropLast()
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }

    private func copy(_ file: String) -> String? {
        let from = repository.appending(path: file)
        let to = output.appending(path: "files/\(file)")
        if let position = sources["\(file)/README.md"] { return pages[position].path + ".html" }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: from.path, isDirectory: &isFolder), !isFolder.boolValue else {
            return nil
        }
        if !FileManager.default.fileExists(atPath: to.path) {
            try? FileManager.default.createDirectory(
                at: to.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try? FileManager.default.copyItem(at: from, to: to)
        }
        return "files/\(file)"
    }

    private func resolveMarkdownLinks(of page: Page) -> String {
        page.markdown.replacing(#/\]\((\/documentation\/(?:[^()\s#]|\([^()]*\))+)/#) { match in
            guard let position = positions[match.1.dropFirst().lowercased()] else { return String(match.0) }
            return "](\(root(of: page))\(pages[position].path.encodedPath).md"
        }
    }
}

extension String {
    var encodedPath: String { addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? self }

    /// The text as Markdown that shows it.
    var literal: String { replacing(#/[\\`*_\[\]<>&]/#) { "\\\($0.0)" } }
}
