import Foundation

/// A page of the site, made from a Markdown file of the repository or of DocC.
struct Page {
    enum Kind: String { case guide, article, symbol }

    let kind: Kind
    /// The path in the site, without an extension, such as `documentation/backplane/gates`.
    var path: String
    /// The file in the repository, if there is one.
    var source: String?
    let title: String
    let language: String
    /// The text, without the metadata in front of it.
    let markdown: String
    /// The English file that this page translates.
    var original: String?

    /// The paragraph after the title and the line of languages, as plain text.
    var abstract: String {
        let paragraphs = markdown.components(separatedBy: "\n\n").drop { paragraph in
            ["<!--", "#", "[", "**English**"].contains { paragraph.hasPrefix($0) }
        }
        guard let first = paragraphs.first, first.first?.isLetter ?? false else { return "" }
        return first.replacing("\n", with: " ").replacing(#/\[([^\]]*)\]\([^ ]*\)/#) { $0.1 }.replacing("`", with: "")
    }
}

extension Page {
    /// Reads a file that DocC wrote.
    init(docc file: URL, under root: URL, sources: [String: String]) throws {
        struct Metadata: Decodable {
            let documentType, title: String
        }
        let text = try String(contentsOf: file, encoding: .utf8)
        guard text.hasPrefix("<!--"), let end = text.firstRange(of: "-->") else {
            throw Failure("\(file.path) has no metadata")
        }
        let metadata = try JSONDecoder().decode(Metadata.self, from: Data(text[..<end.lowerBound].dropFirst(4).utf8))
        kind = metadata.documentType == "article" ? .article : .symbol
        path = String(file.deletingPathExtension().path.dropFirst(root.path.count + 1)).lowercased()
        source = sources[path]
        title = metadata.title
        language = "en"
        markdown = String(text[end.upperBound...].drop(while: \.isNewline))
    }

    /// Reads a guide of the repository.
    init(guide file: String, in repository: URL) throws {
        let text = try String(contentsOf: repository.appending(path: file), encoding: .utf8)
        let isVietnamese = file.hasPrefix("Documentation/vi/")
        let translation = text.firstMatch(of: #/<!-- Translation of (\S+).* -->/#)
        guard let title = text.firstMatch(of: #/(?m)^# (.+)$/#) else { throw Failure("\(file) has no title") }
        // A README is named after its folder.
        let parts = file.dropLast(".md".count).split(separator: "/")
        let name = (parts.suffix(2).last { $0 != "README" && $0 != "vi" } ?? "readme").lowercased()
        kind = .guide
        path = (isVietnamese ? "vi/" : "guide/") + name
        source = file
        self.title = String(title.1)
        language = isVietnamese ? "vi" : "en"
        original = translation.map { String($0.1) }
        markdown = text
    }
}

/// A reason for which there is no site.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
