internal import Foundation
internal import GRDB

extension Database {
    func fact(_ name: String) throws -> String? {
        try String.fetchOne(self, sql: "SELECT value FROM fact WHERE name = ?", arguments: [name])
    }

    func set(_ name: String, to value: String) throws {
        try execute(sql: "INSERT OR REPLACE INTO fact VALUES (?, ?)", arguments: [name, value])
    }

    /// D16: Sends nothing of a copy without the user, because the original may have sent it.
    func reviewAll() throws {
        try execute(
            sql: """
                UPDATE operation SET state = 'needsReview',
                    reason = 'The file was restored from a copy, so the operation may have been sent already.'
                WHERE state NOT IN ('dead', 'conflict')
                """
        )
    }

    /// D14, D25: After a clock that was set back, the ages of attempts are unknown.
    func noteStart(at now: Int64) throws {
        if let last = try fact("lastSeen").flatMap(Int64.init), now + 120_000 < last {
            try execute(sql: "UPDATE operation SET notBefore = 0")
            try execute(sql: "UPDATE operation SET firstSentAt = 0 WHERE firstSentAt IS NOT NULL")
        }
        try set("lastSeen", to: "\(now)")
    }

    /// Notes the time, so that the next start notices a clock that was set back.
    func noteTime(_ now: Int64) throws {
        try set("lastSeen", to: "\(now)")
    }
}

extension JSONEncoder {
    /// Writes the same value as the same bytes.
    static var outbox: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
