import BackplaneConcurrency
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneNetworking

/// The tables of the article "Outcomes of requests".
struct RequestOutcomeTests {
    /// A row of the article: the ends of an attempt, and the outcomes of a first attempt and of
    /// later ones, without a key, with a key, and of a deletion.
    private struct Row {
        let ends: String
        let outcomes: [RequestOutcome?]
    }

    private static let article: String? = {
        let path =
            URL(filePath: #filePath).pathComponents.dropLast(4) + [
                "Sources", "BackplaneNetworking", "BackplaneNetworking.docc", "RequestOutcomes.md",
            ]
        return try? String(contentsOfFile: path.joined(separator: "/"), encoding: .utf8)
    }()

    private static func rows(below heading: String) throws -> [[String]] {
        let text = try #require(article?.components(separatedBy: "### \(heading)\n").last)
        let lines = text.components(separatedBy: "\n### ")[0].split(separator: "\n").filter { $0.hasPrefix("|") }
        return lines.dropFirst(2).map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    private static func outcome(_ text: String) -> RequestOutcome? {
        ["carried out": .carriedOut, "refused": .refused, "not carried out": .open, "unknown": .unknown][text]
    }

    /// The numbers in a cell, such as `400, 403, 500–599`.
    private static func statuses(_ cell: String) -> [Int] {
        cell.split(separator: ",").flatMap { part in
            let ends = part.split(separator: "–").compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
            return ends.isEmpty ? [] : Array(ends[0]...(ends.last ?? ends[0]))
        }
    }

    @Test(.rule("N23")) func `every status has the outcome that the article says`() throws {
        var seen: Set<Int> = []
        for row in try Self.rows(below: "Statuses") {
            try #require(row.count == 5)
            let statuses = Self.statuses(row[0])
            #expect(!statuses.isEmpty && seen.isDisjoint(with: statuses), "\(row)")
            seen.formUnion(statuses)
            for status in statuses {
                let end = RequestOutcome.End.response(status)
                let outcomes = [
                    RequestOutcome(after: end), RequestOutcome(after: end, isFirst: false),
                    RequestOutcome(after: end, isFirst: false, hasKey: true),
                    RequestOutcome(after: end, isFirst: false, hasKey: true, isDeletion: true),
                ]
                #expect(outcomes == row.dropFirst().map(Self.outcome), "\(status)")
                #expect(RequestOutcome(after: end, hasKey: true, isDeletion: true) == outcomes[0])
            }
        }
        #expect(seen == Set(100...599))
    }

    @Test(.rule("N23")) func `every error without a response has the outcome that the article says`() throws {
        let rows = try Self.rows(below: "Errors without a response")
        #expect(rows.count > 1)
        var notSent: Set<String> = []
        for row in rows {
            try #require(row.count == 3)
            let names = row[0].matches(of: /`([A-Za-z]+)`/).map { String($0.output.1) }
            let isUnsent = row[1] == "not carried out"
            if isUnsent { notSent.formUnion(names) }
            let end = isUnsent ? RequestOutcome.End.notSent : .noResponse
            #expect(RequestOutcome(after: end) == Self.outcome(row[1]))
            #expect(RequestOutcome(after: end, isFirst: false, hasKey: true) == Self.outcome(row[2]))
        }
        #expect(notSent == Set(NetworkError.failuresToConnect.map { "\($0)" }))
        for code in NetworkError.failuresToConnect { #expect(NetworkError.transportFailed(URLError(code)).wasNotSent) }
        #expect(!NetworkError.transportFailed(URLError(.networkConnectionLost)).wasNotSent)
    }

    @Test(.rule("N23"), arguments: 400...499)
    func `the error of a refused first attempt is a refusal`(status: Int) {
        let error = NetworkError.refused(HTTPResponse(status: .init(code: status)), body: Data())
        #expect(error.isRefusal == (RequestOutcome(after: .response(status)) == .refused))
    }
}
