import BackplaneFeatures
import BackplaneNetworking
import BackplaneTesting
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneStorage

/// A disk without free space, and the reserve for it.
///
/// The file may have no more pages than now, as on a full disk, until the reserve is given up.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct OutboxSpaceTests {
    private let bench = OutboxBench()
    private var reserve: String { bench.file.path + "-reserve" }

    private func hasReserve() throws -> Bool { try bench.directory.contents.contains("outbox.sqlite-reserve") }

    /// Lets the first transaction of a launch need new pages.
    private func growAtLaunch() throws {
        try bench.execute(
            """
            CREATE TABLE filler (bytes BLOB);
            CREATE TRIGGER grow AFTER INSERT ON fact BEGIN INSERT INTO filler VALUES (zeroblob(20000)); END
            """
        )
    }

    /// Opens the file as on a disk that has no space but that of the reserve.
    private func launch() throws -> OutboxFile {
        let (reserve, clock) = (reserve, OutboxClock(now: Date(), clock: bench.clock))
        return try OutboxFile(path: bench.file.path, clock: clock) { database in
            if FileManager.default.fileExists(atPath: reserve) { try Self.limit(database) }
        }
    }

    /// Lets the file not grow.
    nonisolated private static func limit(_ database: Database) throws {
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        try database.execute(sql: "PRAGMA max_page_count = \(pages)")
    }

    @Test(.rule("D35"))
    func `at a launch on a full disk, the first transaction releases the reserve`() throws {
        _ = try bench.open()
        #expect(try hasReserve())
        try growAtLaunch()
        _ = try launch()
        #expect(try bench.texts("SELECT count(*) FROM filler") != ["0"])
    }

    @Test(.rule("D35"))
    func `a launch on a full disk without a reserve fails, and changes nothing`() throws {
        _ = try bench.open()
        try growAtLaunch()
        let (path, clock) = (bench.file.path, OutboxClock(now: Date(), clock: bench.clock))
        let error = #expect(throws: StorageError.self) {
            try OutboxFile(path: path, clock: clock) { try Self.limit($0) }
        }
        #expect(error?.code == .cannotOpen)
        #expect((error?.cause as? DatabaseError)?.resultCode == .SQLITE_FULL)
        #expect(try bench.texts("SELECT count(*) FROM filler") == ["0"])
    }

    @Test(.rule("D15", "D35"))
    func `a confirmation on a full disk is written with the space of the reserve`() async throws {
        let file = try bench.open().file
        try await file.database.writeWithoutTransaction { try Self.limit($0) }
        let tries = Watched(0)
        try await file.settle { transaction in
            let isFirst = tries.update { tries in
                tries += 1
                return tries == 1
            }
            // Now the reserve is gone.
            if !isFirst { try transaction.database.execute(sql: "PRAGMA max_page_count = 100000") }
            try transaction.database.execute(sql: "CREATE TABLE large AS SELECT zeroblob(50000) AS bytes")
        }
        #expect(tries.value == 2)
        #expect(try !hasReserve())
        #expect(try bench.texts("SELECT length(bytes) FROM large") == ["50000"])
    }

    @Test(.rule("D15"))
    func `the reserve has space for the complete log, which is moved into the file`() async throws {
        let file = try bench.open().file
        let log = try await file.database.read { database in
            try ["wal_autocheckpoint", "page_size"].map { try Int.fetchOne(database, sql: "PRAGMA \($0)") ?? 0 }
        }
        let size = try FileManager.default.attributesOfItem(atPath: reserve)[.size] as? Int
        #expect(try #require(size) > log[0] * log[1])
    }

    @Test(.rule("D9", "D15"))
    func `the call that saves an operation gets its response, although an earlier call with its key had no space`()
        async throws
    {
        let outbox = try bench.open()
        let ada = try bench.account(of: outbox)
        let text = String(repeating: "x", count: 100_000)
        let draft = OutboxDraft(
            id: IdempotencyKey(),
            account: "ada",
            kind: .notes,
            entity: "a",
            request: try ada.controller.freeze(.write(text, to: "a"))
        )
        let ends = Watched<[Result<OutboxTicket, any Error>]>([])
        let save = { @Sendable in
            ada.save(draft, OutboxTicket(draft.id)) { end in ends.update { $0.append(end) } }
        }
        let database = outbox.file.database
        // Both calls wait for the file.
        try await database.writeWithoutTransaction { connection in
            try Self.limit(connection)
            save()
            database.asyncWriteWithoutTransaction { try? $0.execute(sql: "PRAGMA max_page_count = 100000") }
            save()
        }
        await ends.wait { $0.count == 2 }
        #expect(await code { try ends.value[0].get() } == .notSaved)
        let saved = try ends.value[1].get()
        ada.start()
        #expect(try await saved.reply() != nil)
        #expect(bench.received == ["a: \(text)"])
    }

    @Test(.rule("D15"))
    func `without a reserve nothing is saved, until there is space for it again`() async throws {
        let outbox = try bench.open()
        let ada = try bench.account(of: outbox)
        try await outbox.file.database.writeWithoutTransaction { try Self.limit($0) }
        await #expect(throws: DatabaseError.self) {
            try await outbox.file.settle {
                try $0.database.execute(sql: "CREATE TABLE large AS SELECT zeroblob(50000)")
            }
        }
        try await outbox.file.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
        // No file can be written here.
        try FileManager.default.createDirectory(atPath: reserve, withIntermediateDirectories: true)
        #expect(await code { try await ada.write("1", to: "a") } == .notSaved)
        try? FileManager.default.removeItem(atPath: reserve)
        try await ada.write("2", to: "a", label: "2")
        #expect(try await ada.states == ["2: queued"])
        #expect(try hasReserve())
    }
}
