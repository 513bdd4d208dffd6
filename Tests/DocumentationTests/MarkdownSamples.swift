import Foundation
import Testing

/// Tests that every Swift sample of `README.md`, of `Documentation` and of the DocC catalogs is in
/// a file of `Samples`, word for word, so that it compiles.
struct MarkdownSamples {
    struct Sample: CustomTestStringConvertible, Sendable {
        let file: String
        let line: Int
        let code: String

        var testDescription: String { "\(file):\(line)" }
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static let samples: [Sample] = markdownFiles().flatMap(samples(in:))

    /// The samples of the adapters are in their tests, and in the examples.
    static let compiled = code(in: [
        "Tests/DocumentationTests/Samples", "Tests/Shapes/SwiftUITests", "Tests/Shapes/UIKitTests",
        "Tests/Shapes/ExistingAppTests", "Examples/ExistingApp/Sources", "Examples/Campus/Sources",
    ])

    /// The pages of the path quote one app, and nothing else; a translation of them does, too.
    static let club = code(in: ["Examples/Club/Sources", "Examples/Club/Tests"])

    @Test func `the documentation has samples to check`() {
        #expect(Set(Self.samples.map(\.file)).isSuperset(of: ["README.md", "Documentation/Map.md"]))
        #expect(!Self.compiled.isEmpty && !Self.club.isEmpty)
    }

    @Test(arguments: samples)
    func `a sample of the documentation is in a compiled file`(sample: Sample) {
        let lines = Self.unindented(Self.lines(of: sample.code)[...])
        let isOfPath = sample.file.hasPrefix("Documentation/Path/")
        let place = isOfPath ? "Examples/Club" : "Tests/DocumentationTests/Samples"
        #expect(
            (isOfPath ? Self.club : Self.compiled + Self.club).contains { Self.isFound(lines, in: $0) },
            "\(sample.testDescription) is in no file of \(place). Copy it there word for word."
        )
    }

    private static func markdownFiles() -> [URL] {
        [root.appending(path: "README.md")]
            + ["Documentation", "Sources"].flatMap { files(under: $0, withExtension: "md") }
    }

    private static func code(in folders: [String]) -> [[Substring]] {
        folders.flatMap { files(under: $0, withExtension: "swift") }.map { lines(of: text(of: $0)) }
    }

    private static func files(under folder: String, withExtension suffix: String) -> [URL] {
        let paths = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
        return (paths?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".\(suffix)") }.sorted()
            .map { root.appending(path: folder).appending(path: $0) }
    }

    /// Returns the text of a page in `Sources`, for tests of blocks that are not Swift.
    static func page(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: "Sources").appending(path: path), encoding: .utf8)
    }

    private static func text(of file: URL) -> String {
        (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }

    private static func samples(in file: URL) -> [Sample] {
        let name = String(file.path.dropFirst(root.path.count)).trimmingPrefix("/")
        var samples: [Sample] = []
        var open: (line: Int, code: [Substring])?
        for (index, line) in text(of: file).split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if let sample = open {
                if line.hasPrefix("```") {
                    samples.append(
                        Sample(file: String(name), line: sample.line, code: sample.code.joined(separator: "\n"))
                    )
                    open = nil
                } else {
                    open?.code.append(line)
                }
            } else if line.hasPrefix("```swift") {
                open = (index + 1, [])
            }
        }
        return samples
    }

    /// Returns the lines of `code` without imports and without blank lines at both ends.
    ///
    /// A file has each import once, and several samples can repeat it.
    private static func lines(of code: String) -> [Substring] {
        let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("import ") && !$0.hasPrefix("@testable import ") }
        guard let first = lines.firstIndex(where: { !$0.isEmpty }), let last = lines.lastIndex(where: { !$0.isEmpty })
        else {
            return []
        }
        return Array(lines[first...last])
    }

    /// Removes the common indentation of `lines`, because a sample can be inside a function.
    private static func unindented(_ lines: ArraySlice<Substring>) -> [Substring] {
        let margins = lines.filter { !$0.allSatisfy(\.isWhitespace) }.map { $0.prefix(while: { $0 == " " }).count }
        let margin = margins.min() ?? 0
        return lines.map { $0.allSatisfy(\.isWhitespace) ? "" : $0.dropFirst(margin) }
    }

    /// Returns whether `text` contains the unindented `sample` as consecutive lines.
    private static func isFound(_ sample: [Substring], in text: [Substring]) -> Bool {
        guard let first = sample.first, text.count >= sample.count else { return false }
        return (0...(text.count - sample.count)).contains { start in
            text[start].hasSuffix(first) && unindented(text[start..<(start + sample.count)]) == sample
        }
    }
}
