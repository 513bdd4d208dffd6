import Foundation

/// The mistakes that a recorded event log shows; it reads no values.
package struct Doctor: Equatable, Sendable, Encodable {
    /// A mistake of one board, which happened `count` times, first in `line` of the log.
    package struct Finding: Equatable, Sendable, Encodable {
        let kind: String
        let board: String
        var count: Int
        let line: Int
        let advice: String
    }

    private struct Event: Decodable {
        let kind: String
        let time: Double
        let board: String?
        let action: String?
    }

    static let advice = [
        "droppedEntrance": "the scope is live already, or nobody waits for it",
        "droppedOutput": "the board has ended; send before it completes",
        "leaked": "something holds the board after its end",
        "noSuchBoard": "register the board, or install its module",
        "noSuchPoint": "read the contribution point with the type that it is declared with",
        "turnBudgetExceeded": "boards activate each other without an end",
        "undeliveredCommand": "activate the board before you send it a command",
        "unhandledAction": "register a handler for the action",
        "unhandledFailure": "register a completion flow, or await the result",
        "unhandledOutput": "register a flow from the board",
    ]

    package private(set) var findings: [Finding] = []

    /// Reads the lines of JSON that `Motherboard.recordEvents` has written.
    package init(log: String) throws {
        // By bytes: a value may contain other ends of lines, which JSON does not escape.
        var positions: [String: Int] = [:]
        let lines = log.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where line.contains(where: { $0 != UInt8(ascii: "\r") }) {
            guard let event = try? JSONDecoder().decode(Event.self, from: Data(line)) else {
                // The writer was stopped in the middle of its last line.
                if index == lines.count - 1, index > 0 { return }
                throw GeneratorError(
                    "Line \(index + 1) is no event of a log that Motherboard.recordEvents has written."
                )
            }
            guard let advice = Self.advice[event.kind] else { continue }
            let board = (event.board ?? event.action ?? "–").filter { !$0.isControl }
            if let position = positions["\(event.kind) \(board)"] {
                findings[position].count += 1
            } else {
                positions["\(event.kind) \(board)"] = findings.count
                findings.append(Finding(kind: event.kind, board: board, count: 1, line: index + 1, advice: advice))
            }
        }
    }

    /// The findings as lines of text.
    package var text: String {
        findings.isEmpty
            ? "No mistake was recorded."
            : findings.map { "\($0.kind)  \($0.board)  ×\($0.count), first in line \($0.line): \($0.advice)" }
                .joined(separator: "\n")
    }
}

extension Character {
    /// Whether the character could change how a terminal shows the text.
    fileprivate var isControl: Bool {
        unicodeScalars.contains { [.control, .format].contains($0.properties.generalCategory) }
    }
}
