import BackplaneFeatures
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneStorage

/// The user's decisions about operations.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct OutboxDecisionTests {
    private let bench = OutboxBench()

    /// Returns an outbox with a refused operation of the entity "a".
    private func outboxWithRefused() async throws -> (ada: AccountOutbox, refused: IdempotencyKey) {
        bench.answer(.status(.badRequest), .status(.noContent))
        let ada = try bench.account(of: bench.open())
        let refused = try await ada.write("bad", to: "a", label: "bad").id
        ada.start()
        await bench.event("parked: refused")
        return (ada, refused)
    }

    @Test(.rule("D21"))
    func `a retried operation keeps its key and its place`() async throws {
        let (ada, refused) = try await outboxWithRefused()
        await ada.stop()
        let next = try await ada.write("next", to: "a").id
        try await ada.retry(refused)
        ada.start()
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: bad", "a: bad", "a: next"])
        #expect(bench.keys == ["\(refused)", "\(refused)", "\(next)"])
    }

    @Test(.rule("D4", "U4"))
    func `an operation that needs a refused one does not stop other operations`() async throws {
        let (ada, refused) = try await outboxWithRefused()
        try await ada.write("needs", to: "a", after: refused, label: "needs")
        let next = try await ada.write("next", to: "a", label: "next")
        try await next.response()
        #expect(bench.received == ["a: bad", "a: next"])
        #expect(try await ada.states == ["bad: refused", "needs: queued"])
    }

    @Test(.rule("D21"))
    func `an edited operation has a new key, and keeps its position and the operations that need it`() async throws {
        let (ada, refused) = try await outboxWithRefused()
        await ada.stop()
        try await ada.write("next", to: "a", label: "next")
        try await ada.write("needs", to: "b", after: refused, label: "needs")
        let key = try await ada.edit(refused, to: .write("good", to: "a"))
        #expect(key != refused)
        #expect(try await ada.states == ["bad: queued", "next: queued", "needs: queued"])
        #expect(try await ada.dependents(of: key).map(\.label) == ["needs"])
        #expect(try await ada.operations().first?.attempts == 0)
        #expect(try await ada.operations().first?.reason == nil)
        ada.start()
        try await ada.waitUntilDrained()
        #expect(bench.received.prefix(2) == ["a: bad", "a: good"])
        #expect(bench.keys[1] == "\(key)")
        #expect(Set(bench.received) == ["a: bad", "a: good", "a: next", "b: needs"])
    }

    @Test(.rule("D11", "D21"))
    func `discarding names the operations that need the discarded one, and removes them`() async throws {
        let (ada, refused) = try await outboxWithRefused()
        await ada.stop()
        let needs = try await ada.write("1", to: "b", after: refused, label: "1")
        let indirect = try await ada.write("2", to: "c", after: needs.id, label: "2")
        try await ada.write("3", to: "d", label: "3")
        #expect(try await ada.dependents(of: refused).map(\.label) == ["1", "2"])
        #expect(try await ada.discard(refused).map(\.label) == ["bad", "1", "2"])
        #expect(await code { try await indirect.response() } == .noSuchOperation)
        ada.start()
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: bad", "d: 3"])
    }

    @Test(.rule("D11"))
    func `an operation that is being sent cannot be discarded, edited or retried`() async throws {
        let latch = AsyncLatch()
        bench.answer(.status(.noContent), after: latch)
        let ada = try bench.account(of: bench.open())
        let id = try await ada.write("hi", to: "a").id
        ada.start()
        await bench.server.requests(atLeast: 1)
        #expect(await code { try await ada.discard(id) } == .noSuchOperation)
        #expect(await code { try await ada.retry(id) } == .noSuchOperation)
        #expect(await code { try await ada.edit(id, to: .write("other", to: "a")) } == .noSuchOperation)
        #expect(try await ada.states == ["a: sending"])
        latch.open()
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: hi"])
        #expect(await code { try await ada.discard(id) } == .noSuchOperation)
    }

    @Test(.rule("D7"))
    func `an account cannot decide about the operations of another account`() async throws {
        let (_, ada, bob) = try bench.twoUsers()
        let id = try await ada.write("hi", to: "a").id
        let needing = await code { try await bob.write("b", to: "b", after: id) }
        #expect(needing == .noSuchOperation)
        #expect(await code { try await bob.discard(id) } == .noSuchOperation)
        #expect(await code { try await bob.retry(id) } == .noSuchOperation)
        #expect(await code { try await bob.edit(id, to: .write("stolen", to: "a")) } == .noSuchOperation)
        #expect(try await ada.dependents(of: id).isEmpty)
        #expect(try await ada.discard(id).count == 1)
        #expect(try await bob.states == [])
    }

    @Test(.rule("D8"))
    func `if this process removes an operation, it does not count as sent by another process`() async throws {
        let outbox = try bench.open()
        let ada = try bench.account(of: outbox)
        let operation = try await ada.write("hi", to: "a")
        // The transaction of a discard, before the discard ends the wait for the operation.
        try await outbox.file.change { [id = operation.id] in outbox.endHere(["\(id)"], in: $0) }
        let isGone = outbox.goneTicket("\(operation.id)") != nil
        #expect(!isGone)
        let other = try await ada.write("hi", to: "b")
        let gone = outbox.goneTicket("\(other.id)")
        let isOther = gone === other.ticket
        #expect(isOther)
    }

    @Test(.rule("D10", "D21"))
    func `the export has the requests of an account, and no credentials`() async throws {
        let (outbox, ada, bob) = try bench.twoUsers()
        let id = try await ada.write("my words", to: "a", label: "A note").id
        try await bob.write("other words", to: "b")
        let data = try await outbox.export(account: "ada")
        let exported = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        #expect(exported.map { $0["id"] as? String } == ["\(id)"])
        #expect(exported.first?["label"] as? String == "A note")
        #expect(exported.first?["state"] as? String == "queued")
        let all = String(decoding: try await outbox.export(), as: UTF8.self)
        #expect(all.contains("\"account\" : \"bob\""))
        for secret in ["Bearer", "refresh-ada", "Authorization"] { #expect(!all.contains(secret)) }
    }
}
