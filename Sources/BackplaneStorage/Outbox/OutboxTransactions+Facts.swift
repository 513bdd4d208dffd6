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
                WHERE state NOT IN ('refused', 'conflict')
                """
        )
    }

    /// D14, D25: After a clock that was set back, the ages of attempts are unknown.
    func noteStart(at now: Int64) throws {
        if let last = try fact("lastSeen").flatMap(Int64.init), now + 120_000 < last {
            try execute(sql: "UPDATE operation SET notBefore = 0")
            // Some clocks begin again at zero, and no server remembers a key for ten years.
            let longAgo = min(0, now - 10 * 365 * 24 * 60 * 60 * 1000)
            try execute(
                sql: "UPDATE operation SET firstSentAt = ? WHERE firstSentAt IS NOT NULL",
                arguments: [longAgo]
            )
        }
        try set("lastSeen", to: "\(now)")
    }

    /// D40: Removes what nobody needs any longer: the leases of processes that have ended, and the
    /// IDs that the server has replaced a month ago.
    func forgetOld(at now: Int64) throws {
        for holder in try String.fetchAll(self, sql: "SELECT holder FROM lease")
        where !OutboxHolder.mayBeAlive(holder) {
            try execute(sql: "DELETE FROM lease WHERE holder = ?", arguments: [holder])
        }
        // An operation whose row is lost keeps no other one waiting.
        try execute(
            sql: """
                UPDATE operation SET blockedBy = NULL
                WHERE blockedBy IS NOT NULL
                    AND NOT EXISTS (SELECT 1 FROM operation other WHERE other.id = operation.blockedBy)
                """
        )
        let month: Int64 = 30 * 24 * 60 * 60 * 1000
        try execute(sql: "DELETE FROM alias WHERE seenAt < ?", arguments: [now - month])
        try execute(sql: "UPDATE alias SET seenAt = ? WHERE seenAt IS NULL OR seenAt > ?", arguments: [now, now])
    }

    // MARK: Letters

    /// D39: Whether the operation of a letter was saved by an earlier import.
    func isImported(_ letter: URL) throws -> Bool { try fact(Self.factName(of: letter)) != nil }

    /// D39: Notes that the operation of a letter is saved, until the file of the letter is gone.
    func noteImport(of letter: URL) throws {
        try set(Self.factName(of: letter), to: letter.deletingLastPathComponent().path)
    }

    /// Forgets the letters of a directory whose files are gone.
    func forgetLetters(of directory: URL, except files: [URL]) throws {
        let kept = Set(files.map(Self.factName))
        let known = try String.fetchAll(
            self,
            sql: "SELECT name FROM fact WHERE name LIKE 'letter %' AND value = ?",
            arguments: [directory.path]
        )
        for name in known where !kept.contains(name) {
            try execute(sql: "DELETE FROM fact WHERE name = ?", arguments: [name])
        }
    }

    private static func factName(of letter: URL) -> String { "letter \(letter.lastPathComponent)" }

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
