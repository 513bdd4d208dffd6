import BackplaneNetworking
import BackplaneTesting
import Foundation
import GRDB
import TestSupport
import Testing

@testable import BackplaneStorage

/// A commit must be on the disk when it returns.
@Suite struct DurabilityTests {
    @Test(.rule("D1", "D16", "D40"))
    func `an outbox commits to the disk, with a log, and overwrites what it removes`() throws {
        let directory = TemporaryDirectory()
        let clock = OutboxClock(now: Date(), clock: ManualClock())
        let file = try OutboxFile(path: directory.file("outbox.sqlite").path, clock: clock)
        #expect(try durability(of: file.database) == "wal, 2")
        let others = try file.database.read { database in
            try ["fullfsync", "secure_delete"].map { try Int.fetchOne(database, sql: "PRAGMA \($0)") }
        }
        #expect(others == [1, 1])
    }

    @Test func `a vault commits to the disk, with a log`() throws {
        let directory = TemporaryDirectory()
        let vault = try SQLiteTokenVault(file: directory.file("tokens.sqlite"), account: "ada")
        #expect(try durability(of: vault.database) == "wal, 2")
    }

    /// The journal mode, and the number of the level of synchronization; 2 is FULL.
    private func durability(of database: DatabaseQueue) throws -> String {
        try database.read { database in
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? ""
            let level = try Int.fetchOne(database, sql: "PRAGMA synchronous") ?? -1
            return "\(mode), \(level)"
        }
    }
}
