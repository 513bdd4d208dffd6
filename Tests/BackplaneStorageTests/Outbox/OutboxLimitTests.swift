import BackplaneFeatures
import BackplaneNetworking
import BackplaneTesting
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneStorage

/// Limits, full disks and networks: nothing that was saved is lost, and nothing else counts as
/// saved.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct OutboxLimitTests {
    private let bench = OutboxBench()

    @Test(.rule("D23"))
    func `at the largest number of operations new ones are refused, and the saved ones stay`() async throws {
        let outbox = try bench.open(limits: Outbox.Limits(operations: 2))
        let (ada, bob) = (try bench.account("ada", of: outbox), try bench.account("bob", of: outbox))
        for number in 1...2 { _ = try await ada.enqueue(.write("\(number)", to: "a"), of: .notes, entity: "a") }
        let error = await #expect(throws: StorageError.self) {
            try await ada.enqueue(.write("3", to: "a"), of: .notes, entity: "a")
        }
        #expect(error?.code == .full)
        _ = try await bob.enqueue(.write("4", to: "b"), of: .notes, entity: "b")
        ada.start()
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: 1", "a: 2"])
        _ = try await ada.enqueue(.write("5", to: "a"), of: .notes, entity: "a")
    }

    @Test(.rule("D23"))
    func `at the largest size new operations are refused`() async throws {
        let ada = try bench.account(of: bench.open(limits: Outbox.Limits(bytes: 10_000)))
        let text = String(repeating: "x", count: 3000)
        _ = try await ada.enqueue(.write(text, to: "a"), of: .notes, entity: "a")
        let error = await #expect(throws: StorageError.self) {
            for _ in 1...3 { _ = try await ada.enqueue(.write(text, to: "a"), of: .notes, entity: "a") }
        }
        #expect(error?.code == .full)
        #expect(try await ada.states.count == 3)
    }

    @Test(.rule("D23"))
    func `new operations are refused while the oldest one is too old`() async throws {
        let ada = try bench.account(of: bench.open(limits: Outbox.Limits(age: .seconds(86_400))))
        let first = try await ada.enqueue(.write("1", to: "a"), of: .notes, entity: "a")
        bench.clock.advance(by: .seconds(86_400))
        let error = await #expect(throws: StorageError.self) {
            try await ada.enqueue(.write("2", to: "a"), of: .notes, entity: "a")
        }
        #expect(error?.code == .full)
        try await ada.discard(first.id)
        _ = try await ada.enqueue(.write("3", to: "a"), of: .notes, entity: "a")
    }

    @Test(.rule("D9", "D23"))
    func `an operation with a known key is not saved again, and the first caller still gets the response`() async throws
    {
        let ada = try bench.account(of: bench.open(limits: Outbox.Limits(operations: 1)))
        let first = try await ada.enqueue(.write("1", to: "a"), of: .notes, entity: "a")
        let again = try await ada.enqueue(.write("1", to: "a"), of: .notes, entity: "a", key: first.id)
        let error = await #expect(throws: StorageError.self) {
            try await ada.enqueue(.write("2", to: "a"), of: .notes, entity: "a")
        }
        #expect(error?.code == .full)
        ada.start()
        try await first.response()
        try await again.response()
        #expect(bench.received == ["a: 1"])
    }

    @Test(.rule("D7", "D9"))
    func `a key of another account is refused, and the wait of that account goes on`() async throws {
        let outbox = try bench.open()
        let (ada, bob) = (try bench.account("ada", of: outbox), try bench.account("bob", of: outbox))
        let first = try await ada.enqueue(.write("1", to: "a"), of: .notes, entity: "a")
        let error = await #expect(throws: StorageError.self) {
            try await bob.enqueue(.write("2", to: "b"), of: .notes, entity: "b", key: first.id)
        }
        #expect(error?.code == .notSaved)
        ada.start()
        try await first.response()
        #expect(bench.received == ["a: 1"])
    }

    @Test(.rule("D15"))
    func `on a full disk an operation counts as not saved, and is not in the file`() async throws {
        let outbox = try bench.open()
        let ada = try bench.account(of: outbox)
        _ = try await ada.enqueue(.write("small", to: "a"), of: .notes, entity: "a", label: "small")
        try await fill(outbox)
        let error = await #expect(throws: StorageError.self) {
            try await ada.enqueue(.write(String(repeating: "x", count: 100_000), to: "a"), of: .notes, entity: "a")
        }
        #expect(error?.code == .notSaved)
        #expect((error?.cause as? DatabaseError)?.resultCode == .SQLITE_FULL)
        #expect(try await ada.states == ["small: queued"])
        // A saved operation is sent and removed.
        ada.start()
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: small"])
    }

    @Test(.rule("D15"))
    func `nothing is sent before the file says so`() async throws {
        let outbox = try bench.open()
        let ada = try bench.account(of: outbox)
        _ = try await ada.enqueue(.write("hi", to: "a"), of: .notes, entity: "a")
        try await outbox.file.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = 1") }
        ada.start()
        // The start and the first turn.
        await bench.events.wait { $0.count >= 2 }
        #expect(Set(bench.events.value) == ["file failed: databaseFailed"])
        #expect(bench.received == [])
        try await outbox.file.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = 0") }
        bench.clock.advance(by: .seconds(60))
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: hi"])
    }

    @Test(.rule("D15"))
    func `a reply that cannot be written is written later, and its request is not repeated`() async throws {
        let theirs = #"{"text": "\#(String(repeating: "x", count: 60_000))"}"#
        let gate = AsyncLatch()
        bench.server.respond(to: .put, "notes/*", with: .json(theirs, status: .conflict), after: gate)
        let outbox = try bench.open()
        let ada = try bench.account(of: outbox)
        _ = try await ada.enqueue(.write("hi", to: "a"), of: .notes, entity: "a")
        ada.start()
        await bench.server.requests(atLeast: 1)
        try await fill(outbox)
        gate.open()
        await bench.event("file failed: databaseFailed")
        #expect(try await ada.states == ["a: sending"])
        // The reserve was given up for the reply.
        #expect(try !bench.directory.contents.contains("outbox.sqlite-reserve"))

        try await outbox.file.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
        _ = try await ada.enqueue(.write("next", to: "a"), of: .notes, entity: "a")
        await bench.event("parked: conflict")
        #expect(try await ada.states.first == "a: conflict")
        #expect(bench.received.filter { $0 == "a: hi" }.count == 1)
        #expect(try bench.directory.contents.contains("outbox.sqlite-reserve"))
    }

    @Test(.rule("D23"))
    func `without a network nothing is sent, and no attempts are counted`() async throws {
        let isOnline = Watched(true)
        bench.server.respond(to: .put, "notes/*") { _ in
            if !isOnline.value { throw Offline() }
            return .status(.noContent)
        }
        let ada = try bench.account(of: bench.open())
        ada.start()
        try await ada.enqueue(.write("1", to: "a"), of: .notes, entity: "a").response()
        isOnline.update { $0 = false }
        await ada.networkChanged(to: .none)
        _ = try await ada.enqueue(.write("2", to: "a"), of: .notes, entity: "a")
        try await ada.letOthersRun()
        #expect(try await ada.operations(limit: 1).map(\.attempts) == [0])
        isOnline.update { $0 = true }
        await ada.networkChanged(to: .metered)
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: 1", "a: 2"])
    }

    @Test(.rule("D23"))
    func `large operations wait for a network without a price, and block no others`() async throws {
        let ada = try bench.account(of: bench.open())
        await ada.networkChanged(to: .metered)
        _ = try await ada.enqueue(.write("film", to: "a"), of: .uploads, entity: "a")
        let note = try await ada.enqueue(.write("text", to: "b"), of: .notes, entity: "b")
        ada.start()
        try await note.response()
        #expect(try await ada.operations(limit: 9).map(\.attempts) == [0])
        await ada.networkChanged(to: .unmetered)
        try await ada.waitUntilDrained()
        #expect(bench.received == ["b: text", "a: film"])
    }

    /// Lets the file not grow, as on a full disk.
    private func fill(_ outbox: Outbox) async throws {
        try await outbox.file.database.writeWithoutTransaction { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
    }
}
