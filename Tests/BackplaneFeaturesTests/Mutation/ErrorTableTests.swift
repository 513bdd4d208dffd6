import BackplaneConcurrency
import Foundation
import TestSupport
import Testing

@testable import BackplaneFeatures

/// The table of the article "Errors of a change", which is what the code does.
struct ErrorTableTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let responses: String
        let first: String
        let repeated: String

        var testDescription: String { responses }
        var isDeletion: Bool { responses.hasSuffix("to a deletion") }

        /// The statuses of the row; `nil` stands for no response.
        var statuses: [Int?] {
            if responses == "any other 4xx" { return ErrorTableTests.others }
            return responses.split(separator: " to ")[0].split(separator: ", ").flatMap { name -> [Int?] in
                if name == "none" { return [nil] }
                if let status = Int(name) { return [status] }
                return (200..<600).filter { "\($0)".prefix(1) == name.prefix(1) }
            }
        }
    }

    static let rows: [Row] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = root.appending(path: "Sources/BackplaneFeatures/BackplaneFeatures.docc/ErrorsOfChanges.md")
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return Row(responses: cells[0], first: cells[1], repeated: cells[2])
        }
    }()

    /// The statuses from 400 to 499 that the table does not name.
    static let others: [Int?] = {
        let named = rows.filter { $0.responses != "any other 4xx" }.flatMap(\.statuses)
        return (400..<500).filter { !named.contains($0) }
    }()

    /// Returns what becomes of a change, in the words of the table.
    private func outcome(of status: Int?, isFirst: Bool, isDeletion: Bool) -> String {
        let reply: ChangeReply = status.map { .status($0, reason: nil, retryAfter: nil) } ?? .noResponse(reason: nil)
        let sent = ChangeEntry(attempts: isFirst ? 0 : 1, firstSentAt: isFirst ? nil : 0).sent(at: 0)
        let attempt = ChangeAttempt(isFirst: isFirst, isDeletion: isDeletion)
        guard case .continues(let entry) = sent.settled(by: reply, to: attempt, at: 0, jitter: { $0 }) else {
            return "confirmed"
        }
        return switch entry.state {
        case .queued: "sent again"
        case .refused: "refused"
        case .conflict: "conflict"
        case .waitingForUpdate: "waits for an update"
        case .needsReview: "not known"
        case .sending, .waitingForSignIn: "\(entry.state)"
        }
    }

    @Test func `the table names every response`() {
        let named = Set(Self.rows.flatMap(\.statuses))
        #expect(named.isSuperset(of: [nil] + (200..<600).map { $0 }))
    }

    @Test(.rule("D5", "D27", "U2"), arguments: rows)
    func `a change continues after a response as the table says`(row: Row) {
        for status in row.statuses {
            // The table has rows of their own for a deletion that finds nothing.
            let kinds = row.isDeletion || [404, 410].contains(status) ? [row.isDeletion] : [false, true]
            for isDeletion in kinds {
                #expect(outcome(of: status, isFirst: true, isDeletion: isDeletion) == row.first)
                #expect(outcome(of: status, isFirst: false, isDeletion: isDeletion) == row.repeated)
            }
        }
    }

    /// An error with a status, as `BackplaneNetworking` throws it.
    private struct Failure: ServerFailure {
        let statusCode: Int?
        var isRefusal: Bool { true }
        var isMissing: Bool { false }
        var reason: String? { nil }
        var retryAfter: Duration? { nil }
    }

    private struct Refusal: DefiniteRejection {}

    /// Returns what becomes of a change in memory: whether it is refused.
    private func isRefused(_ error: any Error, isFirst: Bool, isRejection: Bool) -> Bool {
        var entry = ChangeEntry(firstSentAt: isFirst ? nil : 0)
        let began = entry.begin()
        #expect(began == isFirst)
        let isConfirmed = entry.end(with: error, isFirst: isFirst, isRejection: isRejection)
        #expect(!isConfirmed)
        #expect(entry.state.hasFailed || entry.state == .queued, "In memory, everything else is sent again.")
        return entry.state.hasFailed
    }

    @Test(.rule("D27", "U2"), arguments: [true, false])
    func `in memory, the rule of the app about rejections comes before the table`(isFirst: Bool) {
        for status in [401, 409, 422, 426, 500] {
            #expect(!isRefused(Failure(statusCode: status), isFirst: isFirst, isRejection: false))
        }
        #expect(isRefused(Failure(statusCode: 422), isFirst: isFirst, isRejection: true))
        #expect(isRefused(Refusal(), isFirst: isFirst, isRejection: true))
        // After an attempt without an outcome, the app cannot know what the server did with that.
        for status in [401, 409, 423, 429, 500] {
            #expect(isRefused(Failure(statusCode: status), isFirst: isFirst, isRejection: true) == isFirst)
        }
        #expect(!isRefused(Failure(statusCode: 426), isFirst: isFirst, isRejection: true))
        // A request that cannot be sent says nothing about an earlier attempt.
        #expect(isRefused(Failure(statusCode: nil), isFirst: isFirst, isRejection: true) == isFirst)
    }

    @Test(.rule("R1", "U2"), arguments: [true, false])
    func `in memory, an unreadable success confirms a change`(isFirst: Bool) {
        var entry = ChangeEntry(firstSentAt: isFirst ? nil : 0)
        _ = entry.begin()
        let isConfirmed = entry.end(with: Failure(statusCode: 204), isFirst: isFirst, isRejection: false)
        #expect(isConfirmed)
        // The app may read a refusal in the body.
        #expect(isRefused(Failure(statusCode: 200), isFirst: isFirst, isRejection: true))
    }
}
