import BackplaneFeatures
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneStorage

/// How an operation ends for its callers and for the operations that need it.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct OutboxEndTests {
    private let bench = OutboxBench()

    @Test(.rule("D30")) func `an outbox forgets the operations that have ended`() async throws {
        let outbox = try bench.open()
        let ada = try bench.account(of: outbox)
        let saved = try await ada.write("1", to: "a")
        #expect(outbox.unseenCount == 1)
        ada.start()
        try await saved.response()
        // The sender keeps its lease, so it looks for no other process.
        for number in 2...5 { try await ada.write("\(number)", to: "a").response() }
        #expect(outbox.unseenCount == 0)
        #expect(!outbox.hasTickets)
    }

    // MARK: Operations that need another one

    @Test(.rule("D30"))
    func `if a change could not be saved, a change that needs it is not sent`() async throws {
        let ada = try bench.account(of: bench.open(limits: Outbox.Limits(bytes: 2000)))
        let page = NotePage(sending: .durable(ada))
        await page.show("base")
        ada.start()
        try page.note.enqueue(NoteChange.write(String(repeating: "x", count: 5000)), label: "large")
        let large = try #require(page.note.pending.first?.id)
        try page.note.enqueue(NoteChange.append("!"), label: "small", after: [large])
        await waitUntil { page.pending == ["large: failed", "small: failed"] }
        try await ada.letOthersRun()
        #expect(bench.received == [])
        #expect(try await ada.states == [])
        #expect(page.note.value?.text == "base")
    }

    @Test(.rule("D30"))
    func `an operation is not saved if it needs an operation that was never saved`() async throws {
        let ada = try bench.account(of: bench.open())
        let error = await code { try await ada.write("1", to: "a", after: .init()) }
        #expect(error == .noSuchOperation)
        #expect(try await ada.states == [])
    }

    @Test(.rule("D30"))
    func `an operation that needs a confirmed one is sent, in a later process, too`() async throws {
        let old = try bench.account(of: bench.open())
        old.start()
        let first = try await old.write("1", to: "a")
        try await first.response()
        try await old.write("2", to: "b", after: first.id).response()
        await old.stop()
        let later = try bench.account(of: bench.open())
        later.start()
        try await later.write("3", to: "c", after: first.id).response()
        #expect(bench.received == ["a: 1", "b: 2", "c: 3"])
    }

    @Test(.rule("D30"))
    func `if a question finds that an operation was carried out, the operation counts as confirmed`() async throws {
        bench.answer(.failure(Offline()), .status(.noContent))
        let ada = try bench.account(of: bench.open())
        let first = try await ada.write("1", to: "a")
        ada.review(.notes) { _ in true }
        ada.start()
        try await ada.attempted(1)
        await bench.pass(.seconds(3600))
        _ = try await first.response()
        try await ada.write("2", to: "b", after: first.id).response()
        #expect(bench.received == ["a: 1", "b: 2"])
    }

    @Test(.rule("D30"))
    func `if another process discards an operation, it is not confirmed`() async throws {
        let (mine, other) = (try bench.account(of: bench.open()), try bench.account(of: bench.open()))
        let operation = try await mine.write("1", to: "a")
        try await other.discard(operation.id)
        #expect(await code { try await operation.response() } == .noSuchOperation)
        let next = await code {
            try await mine.write("2", to: "b", after: operation.id)
        }
        #expect(next == .noSuchOperation)
    }

    @Test(.rule("D30"))
    func `if another process discards a change, it disappears from its record`() async throws {
        let (mine, page) = try await bench.page()
        let id = try await page.save(.append("!"))
        let other = try bench.account(of: bench.open())
        try await other.discard(id)
        // The next look of the sender.
        mine.start()
        await waitUntil { page.pending == ["+!: failed"] }
        #expect(page.note.value?.text == "base")
    }

    // MARK: Ends in other processes

    @Test(.rule("D30"), arguments: [204, 400], [true, false])
    func `a wait ends when any process ends the operation`(status: Int, isEarly: Bool) async throws {
        bench.answer(.status(HTTPResponse.Status(code: status)))
        let (mine, other) = (try bench.account(of: bench.open()), try bench.account(of: bench.open()))
        // This process never sends.
        let operation = try await mine.write("1", to: "a")
        let early = Task { try await operation.response() == nil }
        if isEarly { await bench.clock.sleepers(atLeast: 1) }
        other.start()
        try await other.waitUntilDrained()
        if isEarly { bench.clock.advance(by: .seconds(15)) }
        let wait = isEarly ? early : Task { try await operation.response() == nil }
        if status == 204 {
            #expect(try await wait.value)
        } else {
            let error = await #expect(throws: OutboxFailure.self) { try await wait.value }
            #expect(error?.operation.status == 400)
        }
    }

    @Test(.rule("D30"))
    func `a record notices that another process has sent its change, even if nothing is sent here`() async throws {
        let (mine, page) = try await bench.page()
        await mine.networkChanged(isReachable: false)
        mine.start()
        _ = try await page.save(.append("!"))
        let other = try bench.account(of: bench.open())
        other.start()
        try await other.waitUntilDrained()
        // Nothing tells when this process has begun to wait for its next look.
        while page.pending != [] {
            bench.clock.advance(by: .seconds(60))
            await Task.yield()
        }
        #expect(page.note.value?.text == "base!")
    }

    @Test(.rule("D30"))
    func `the keys of old confirmed operations are forgotten`() async throws {
        let ada = try bench.account(of: bench.open())
        try bench.execute("INSERT INTO receipt VALUES (89999, 'old'), (90001, 'newer'), (99999, 'last')")
        ada.start()
        let operation = try await ada.write("1", to: "a")
        try await operation.response()
        #expect(try bench.texts("SELECT id FROM receipt ORDER BY seq") == ["newer", "last", "\(operation.id)"])
    }

    @Test(.rule("D30"))
    func `a wait with a known key ends, even if that operation was refused before`() async throws {
        bench.answer(.status(.badRequest))
        let ada = try bench.account(of: bench.open())
        ada.start()
        let first = try await ada.write("1", to: "a")
        await #expect(throws: OutboxFailure.self) { try await first.response() }
        let again = try await ada.write("1", to: "a", key: first.id)
        await #expect(throws: OutboxFailure.self) { try await again.response() }
        #expect(bench.received.count == 1)
    }

    @Test(.rule("D30"))
    func `a wait ends, even if it began before a failed attempt to remove the operation`() async throws {
        let outbox = try bench.open()
        let (mine, other) = (try bench.account(of: outbox), try bench.account(of: bench.open()))
        let operation = try await mine.write("1", to: "a")
        // As on a full disk, which may end a transaction at its commit.
        try? await outbox.file.change { [id = operation.id] database in
            outbox.endHere(["\(id)"], in: database)
            throw Offline()
        }
        try await other.discard(operation.id)
        #expect(await code { try await operation.response() } == .noSuchOperation)
    }
}
