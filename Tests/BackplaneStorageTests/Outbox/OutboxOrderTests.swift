import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing

/// The order in which operations are sent.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct OutboxOrderTests {
    private let bench = OutboxBench()
    private let latch = AsyncLatch()

    @Test(.rule("D4"))
    func `operations of one entity are sent one at a time, in the order in which they were saved`() async throws {
        bench.answer(.status(.noContent), after: latch)
        let ada = try bench.account(of: bench.open())
        for number in 1...3 { try await ada.write("\(number)", to: "a") }
        ada.start()
        await bench.server.requests(atLeast: 1)
        #expect(try await ada.states == ["a: sending", "a: queued", "a: queued"])
        latch.open()
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: 1", "a: 2", "a: 3"])
    }

    @Test(.rule("D4"))
    func `entities are sent in parallel, at most eight at a time`() async throws {
        bench.answer(.status(.noContent), after: latch)
        let ada = try bench.account(of: bench.open())
        for name in 1...20 { try await ada.write("hi", to: "\(name)") }
        ada.start()
        await bench.server.requests(atLeast: 8)
        #expect(try await ada.operations(limit: 20).map(\.state).filter { $0 == .sending }.count == 8)
        latch.open()
        try await ada.waitUntilDrained()
        #expect(Set(bench.received) == Set((1...20).map { "\($0): hi" }))
    }

    @Test(.rule("D4"))
    func `an operation waits until the server has confirmed the operation that it needs`() async throws {
        bench.answer(.status(.noContent), to: "list", after: latch)
        let ada = try bench.account(of: bench.open())
        let list = try await ada.write("new", to: "list")
        try await ada.write("new", to: "item", after: list.id)
        ada.start()
        await bench.server.requests(atLeast: 1)
        #expect(try await ada.states == ["list: sending", "item: queued"])
        latch.open()
        try await ada.waitUntilDrained()
        #expect(bench.received == ["list: new", "item: new"])
    }

    @Test(.rule("D4", "U4"), arguments: [false, true])
    func `a refused operation stops those that need it, and its entity if its kind says so`(
        blocksFollowing: Bool
    ) async throws {
        let kind = OutboxKind("steps", blocksFollowing: blocksFollowing)
        bench.answer(.status(.badRequest), to: "bad")
        bench.answer(.status(.noContent), to: "good")
        let ada = try bench.account(of: bench.open(kinds: [kind]))
        let bad = try await ada.write("1", to: "bad", in: "a", of: kind)
        try await ada.write("2", to: "good", in: "a", of: kind)
        try await ada.write("3", to: "needs", of: kind, after: bad.id)
        let other = try await ada.write("4", to: "other", of: kind)
        ada.start()
        try await other.response()
        await bench.event("parked: refused")
        let left = try await ada.waitUntilDrained()
        try await ada.letOthersRun()
        if blocksFollowing {
            #expect(left.counts == [.refused: 1, .queued: 2])
            #expect(try await ada.states == ["a: refused", "a: queued", "needs: queued"])
            #expect(Set(bench.received) == ["bad: 1", "other: 4"])
        } else {
            #expect(left.counts == [.refused: 1, .queued: 1])
            #expect(try await ada.states == ["a: refused", "needs: queued"])
            #expect(Set(bench.received) == ["bad: 1", "good: 2", "other: 4"])
        }
    }

    @Test(.rule("D4", "U4"))
    func `a refused operation that is sent again waits for the running one`()
        async throws
    {
        let latch = latch
        let refusals = Watched(1)
        bench.server.respond(to: .put, "notes/*") { request in
            if refusals.update({
                $0 -= 1
                return $0 == 0
            }) {
                return .status(.badRequest)
            }
            try await latch.waitUnlessCancelled()
            return .status(.noContent)
        }
        let ada = try bench.account(of: bench.open())
        ada.start()
        let bad = try await ada.write("1", to: "a")
        await bench.event("parked: refused")
        try await ada.write("2", to: "a")
        await bench.server.requests(atLeast: 2)
        let last = try await ada.write("3", to: "a")
        try await ada.retry(bad.id)
        try await ada.discard(last.id)
        try await ada.letOthersRun()
        #expect(bench.received == ["a: 1", "a: 2"])
        latch.open()
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: 1", "a: 2", "a: 1"])
    }

    @Test(.rule("D4", "D21"))
    func `after the first operation of an entity is discarded, every window can send the next one`() async throws {
        bench.answer(.status(.badRequest), .status(.noContent))
        let steps = OutboxKind("steps", blocksFollowing: true)
        let outbox = try bench.open(kinds: [steps])
        let (sending, other) = (try bench.account(of: outbox), try bench.account(of: outbox))
        let bad = try await sending.write("1", to: "a", of: steps)
        let next = try await sending.write("2", to: "a", of: steps)
        sending.start()
        await bench.event("parked: refused")
        // The object on which the user decides does not send.
        try await other.discard(bad.id)
        try await next.response()
        #expect(bench.received == ["a: 1", "a: 2"])
        #expect(try await sending.states == [])
    }

    @Test(.rule("D4", "D10"))
    func `many operations that cannot be sent do not keep the others from being sent`() async throws {
        let old = try bench.account(of: bench.open())
        for name in 1...10 { try await old.write("hi", to: "\(name)", of: .uploads) }
        try await old.write("hi", to: "a")

        let ada = try bench.account(of: bench.open(kinds: [.notes]))
        ada.start()
        await waitUntil { ada.status.counts == [.refused: 10] }
        #expect(bench.received == ["a: hi"])
    }

    @Test(.rule("D10", "U4"))
    func `an operation that this app cannot send does not stop later operations`() async throws {
        let old = try bench.account(of: bench.open())
        try await old.write("1", to: "a", of: .uploads)
        try await old.write("2", to: "a")

        let ada = try bench.account(of: bench.open(kinds: [.notes]))
        ada.start()
        #expect(try await ada.waitUntilDrained().counts == [.refused: 1])
        #expect(bench.received == ["a: 2"])
    }

    @Test(.rule("D4", "D21"))
    func `operations that need each other are never sent, and can be discarded`() async throws {
        let (one, two) = (IdempotencyKey(), IdempotencyKey())
        let ada = try bench.account(of: bench.open())
        try await ada.write("1", to: "a", key: one)
        try await ada.write("2", to: "b", after: one, key: two)
        // No version of the library saves such operations.
        try bench.execute("UPDATE operation SET dependsOn = ? WHERE id = ?", ["\(two)", "\(one)"])
        ada.start()
        try await ada.letOthersRun()
        #expect(bench.received == [])
        #expect(try await ada.dependents(of: one).map(\.id) == [two])
        #expect(try await ada.discard(one).map(\.id) == [one, two])
        #expect(try await ada.states == [])
    }
}
