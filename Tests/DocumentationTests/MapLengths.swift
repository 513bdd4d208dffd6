import Foundation
import Testing

/// Tests that `Documentation/Map.md` states the true numbers of lines, and that no sample with
/// Backplane is longer than the document's.
struct MapLengths {
    /// A section of the map that compares a document's sample with the same one on Backplane.
    struct Comparison: CustomTestStringConvertible, Sendable {
        let title: String
        /// The numbers of lines without blank ones, in the order of the page: the document's sample
        /// in `text` blocks, and ours in `swift` blocks.
        var lines = ["text": 0, "swift": 0]
        /// The sentence with both numbers.
        var statement = ""

        var testDescription: String { title }
    }

    static let comparisons: [Comparison] = {
        let page = MarkdownSamples.root.appending(path: "Documentation/Map.md")
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        var comparisons: [Comparison] = []
        var fence: String?
        for line in text.split(separator: "\n") where !line.allSatisfy(\.isWhitespace) {
            if line.hasPrefix("```") {
                fence = fence == nil ? String(line.dropFirst(3)) : nil
            } else if let fence {
                comparisons[comparisons.count - 1].lines[fence, default: 0] += 1
            } else if line.hasPrefix("### ") {
                comparisons.append(Comparison(title: String(line.dropFirst(4))))
            } else if line.hasPrefix("Lines: ") {
                comparisons[comparisons.count - 1].statement = String(line)
            }
        }
        return comparisons
    }()

    @Test func `the map compares samples of every document`() {
        #expect(Self.comparisons.count >= 12)
    }

    @Test(arguments: comparisons)
    func `a sample with Backplane is not longer than the sample of the document`(comparison: Comparison) {
        let (theirs, ours) = (comparison.lines["text"] ?? 0, comparison.lines["swift"] ?? 0)
        #expect(comparison.statement == "Lines: \(theirs) in the document, \(ours) with Backplane.")
        #expect(0 < ours && ours <= theirs)
    }
}
