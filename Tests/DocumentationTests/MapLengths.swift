import Foundation
import Testing

/// Tests that `Documentation/Map.md` states the true numbers of lines, and says which samples with
/// Backplane are longer than the document's.
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

    /// The statement of a section whose document implements a type that our library has.
    static let notCompared = "Lines: not compared. The document implements the type, and our sample calls it."

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
        #expect(Self.comparisons.count { $0.statement == Self.notCompared } <= 2)
    }

    @Test(arguments: comparisons)
    func `a comparison states both numbers of lines, and whether ours is longer`(comparison: Comparison) {
        let (theirs, ours) = (comparison.lines["text"] ?? 0, comparison.lines["swift"] ?? 0)
        let numbers = "Lines: \(theirs) in the document, \(ours) with Backplane."
        let statement = theirs < ours ? numbers + " Ours is longer." : numbers
        #expect([statement, Self.notCompared].contains(comparison.statement))
        #expect(0 < ours)
    }
}
