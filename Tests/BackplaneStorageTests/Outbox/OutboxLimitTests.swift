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

    @Test(
        .rule("D23"),
        arguments: [
            Outbox.Limits(operations: 2), Outbox.Limits(bytes: 7_000), Outbox.Limits(age: .seconds(86_400)),
        ]
    )
    func `at a limit, new operations are refused, and the saved ones stay`(limits: Outbox.Limits) async throws {
        let outbox = try bench.open(limits: limits)
        let (ada, bob) = (try bench.account("ada", of: outbox), try bench.account("bob", of: outbox))
        let text = String(repeating: "x", count: 3000)
        for _ in 1...2 { try await ada.write(text, to: "a") }
        bench.clock.advance(by: .seconds(86_400))
        for _ in 1...2 { #expect(await code { try await ada.write(text, to: "a") } == .full) }
        #expect(try await ada.states.count == 2)
        try await bob.write("hi", to: "b")
        // Confirmed operations no longer count.
        ada.start()
        try await ada.waitUntilDrained()
        #expect(bench.received.count == 2)
        for _ in 1...10 { try await ada.write(text, to: "a").response() }
    }

    @Test(.rule("D9", "D23"))
    func `an operation with a known key is not saved again, and the first caller still gets the response`() async throws
    {
        let ada = try bench.account(of: bench.open(limits: Outbox.Limits(operations: 1)))
        let first = try await ada.write("1", to: "a")
        let again = try await ada.write("1", to: "a", key: first.id)
        #expect(await code { try await ada.write("2", to: "a") } == .full)
        ada.start()
        try await first.response()
        try await again.response()
        #expect(bench.received == ["a: 1"])
    }

    @Test(.rule("D7", "D9"))
    func `a key of another account is refused, and the wait of that account continues`() async throws {
        let (_, ada, bob) = try bench.twoUsers()
        let first = try await ada.write("1", to: "a")
        #expect(await code { try await bob.write("2", to: "b", key: first.id) } == .notSaved)
        ada.start()
        try await first.response()
        #expect(bench.received == ["a: 1"])
    }

    @Test(.rule("D15"))
    func `on a full disk, an operation is not saved, and is not in the file`() async throws {
        let outbox = try bench.open()
        let ada = try bench.account(of: outbox)
        try await ada.write("small", to: "a", label: "small")
        try await fill(outbox)
        let error = await #expect(throws: StorageError.self) {
            try await ada.write(String(repeating: "x", count: 100_000), to: "a")
        }
        #expect(error?.code == .notSaved)
        #expect((error?.cause as? DatabaseError)?.resultCode == .SQLITE_FULL)
        #expect(try await ada.states == ["small: queued"])
        #expect(bench.events.value == ["file failed: notSaved"], "the log says it")
        let check = await #expect(throws: StorageError.self) { try await outbox.checkSaving() }
        #expect(check?.code == .notSaved)
        // A saved operation is sent and removed.
        ada.start()
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: small"])
    }

    @Test(.rule("D15"))
    func `a check tells whether operations can be saved, and leaves none`() async throws {
        let outbox = try bench.open()
        let ada = try bench.account(of: outbox)
        try await outbox.checkSaving()
        try await outbox.checkSaving()
        #expect(try await ada.states.isEmpty)
        try FileManager.default.removeItem(at: bench.file)
        let check = await #expect(throws: StorageError.self) { try await outbox.checkSaving() }
        #expect(check?.code == .notSaved, "what goes into a deleted file is lost")
    }

    @Test(.rule("D15"))
    func `nothing is sent before this is written to the file`() async throws {
        let outbox = try bench.open()
        let ada = try bench.account(of: outbox)
        try await ada.write("hi", to: "a")
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
    func `if a reply cannot be written, it is written later, and its request is not repeated`() async throws {
        let theirs = #"{"text": "\#(String(repeating: "x", count: 60_000))"}"#
        let latch = AsyncLatch()
        bench.answer(.json(theirs, status: .conflict), after: latch)
        let outbox = try bench.open()
        let ada = try bench.account(of: outbox)
        try await ada.write("hi", to: "a")
        ada.start()
        await bench.server.requests(atLeast: 1)
        try await fill(outbox)
        latch.open()
        await bench.event("file failed: databaseFailed")
        #expect(try await ada.states == ["a: sending"])
        // The reserve was given up for the reply.
        #expect(try !bench.directory.contents.contains("outbox.sqlite-reserve"))

        try await outbox.file.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
        try await ada.write("next", to: "a")
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
        try await ada.write("1", to: "a").response()
        isOnline.update { $0 = false }
        await ada.networkChanged(isReachable: false)
        try await ada.write("2", to: "a")
        try await ada.letOthersRun()
        #expect(try await ada.operations(limit: 1).map(\.attempts) == [0])
        isOnline.update { $0 = true }
        await ada.networkChanged(isReachable: true, isMetered: true)
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: 1", "a: 2"])
    }

    @Test(.rule("D23"))
    func `large operations wait for a network that is not metered, and do not stop others`() async throws {
        let ada = try bench.account(of: bench.open())
        await ada.networkChanged(isReachable: true, isMetered: true)
        try await ada.write("film", to: "a", of: .uploads)
        let note = try await ada.write("text", to: "b")
        ada.start()
        try await note.response()
        #expect(try await ada.operations().map(\.attempts) == [0])
        await ada.networkChanged(isReachable: true)
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
