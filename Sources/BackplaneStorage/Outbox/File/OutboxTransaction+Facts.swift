internal import Foundation
internal import GRDB

extension OutboxTransaction {
    func fact(_ name: String) throws -> String? {
        try value("SELECT value FROM fact WHERE name = ?", [name])
    }

    func set(_ name: String, to value: String) throws {
        try run("INSERT OR REPLACE INTO fact VALUES (?, ?)", [name, value])
    }

    /// D16: Sends nothing of a copy without the user, because the original may have sent it.
    func reviewAll() throws {
        try run(
            """
            UPDATE operation SET state = 'needsReview',
                reason = 'The file was restored from a copy, so the operation may have been sent already.'
            WHERE state NOT IN ('refused', 'conflict')
            """
        )
    }

    /// D14, D25: After a clock that was set back, the ages of attempts are unknown.
    func noteStart(at now: Int64) throws {
        if let last = try fact("lastSeen").flatMap(Int64.init), now + 120_000 < last {
            try run("UPDATE operation SET notBefore = 0")
            // Some clocks begin again at zero, and no server remembers a key for ten years.
            let longAgo = min(0, now - 10 * 365 * 24 * 60 * 60 * 1000)
            try run("UPDATE operation SET firstSentAt = ? WHERE firstSentAt IS NOT NULL", [longAgo])
        }
        try set("lastSeen", to: "\(now)")
    }

    /// D40: Removes what nobody needs any longer: the leases of processes that have ended, and the
    /// IDs that the server has replaced a month ago.
    func forgetOld(at now: Int64) throws {
        for holder in try texts("SELECT holder FROM lease")
        where !OutboxHolder.mayBeAlive(holder) {
            try run("DELETE FROM lease WHERE holder = ?", [holder])
        }
        // An operation whose row is lost keeps no other one waiting.
        try run(
            """
            UPDATE operation SET blockedBy = NULL
            WHERE blockedBy IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM operation other WHERE other.id = operation.blockedBy)
            """
        )
        let month: Int64 = 30 * 24 * 60 * 60 * 1000
        try run("DELETE FROM alias WHERE seenAt < ?", [now - month])
        try run("UPDATE alias SET seenAt = ? WHERE seenAt IS NULL OR seenAt > ?", [now, now])
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
        let known = try texts(
            "SELECT name FROM fact WHERE name LIKE 'letter %' AND value = ?",
            [directory.path]
        )
        for name in known where !kept.contains(name) {
            try run("DELETE FROM fact WHERE name = ?", [name])
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
