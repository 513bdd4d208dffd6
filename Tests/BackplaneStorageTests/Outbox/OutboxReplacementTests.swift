import BackplaneConcurrency
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import Observation
import TestSupport
import Testing

@testable import BackplaneFeatures
@testable import BackplaneStorage

/// Changes that are corrected or sent again, as the stores of one account show them.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct OutboxReplacementTests {
    /// The changes of an outbox, which a store cannot read while it is kept from it.
    private struct SlowChanges: UnfinishedChanges {
        let changes: any UnfinishedChanges<String, Note>
        let latch: Watched<AsyncLatch?>

        func fetch(
            besides failed: [IdempotencyKey]
        ) async -> ([UnfinishedChange<String, Note>], [IdempotencyKey]) {
            await latch.value?.wait()
            return await changes.fetch(besides: failed)
        }

        func observe(_ observer: OwnerCall, of store: StorePresence) { changes.observe(observer, of: store) }

        func resume() { changes.resume() }

        func dismiss(_ id: IdempotencyKey, in store: StorePresence) { changes.dismiss(id, in: store) }
    }

    /// Everything that an observer of a page has seen.
    @MainActor private final class Sight {
        private let page: NotePage
        private(set) var seen: [String]

        init(of page: NotePage) {
            self.page = page
            seen = []
            look()
        }

        private func look() {
            let now = withObservationTracking {
                "\(page.note.value?.text ?? "nothing"): \(page.pending.map { $0.prefix(while: { $0 != ":" }) })"
            } onChange: { [weak self] in
                MainActor.assumeIsolated { self?.look() }
            }
            if now != seen.last { seen.append(now) }
        }
    }

    enum Decision: CaseIterable {
        case editQueued, editRefused, retryRefused
    }

    private let bench = OutboxBench()
    private let latch = Watched<AsyncLatch?>(nil)

    /// A page whose store reads the changes of others only when it is let.
    private func slowPage(_ mine: AccountOutbox) async throws -> NotePage {
        let sender = ChangeSender<String, Note>.durable(mine)
        let slow = SlowChanges(changes: try #require(sender.unfinished), latch: latch)
        let page = NotePage(sending: ChangeSender(unfinished: slow, mutation: sender.mutation))
        await page.show("base")
        return page
    }

    /// A change that the server has refused, before its page reads the next change of others.
    private func refusedChange() async throws -> (AccountOutbox, NotePage, IdempotencyKey, AsyncLatch) {
        bench.answer(.status(.badRequest), .status(.noContent))
        let mine = try bench.account(of: bench.open())
        let page = try await slowPage(mine)
        let first = try await page.save(.append("1"))
        mine.start()
        await waitUntil { page.pending == ["+1: failed"] }
        let gate = AsyncLatch()
        latch.update { $0 = gate }
        return (mine, page, first, gate)
    }

    @Test(.rule("U4", "D21"), arguments: Decision.allCases)
    func `a change that the user decides about is visible in all stores until it is confirmed`(
        decision: Decision
    ) async throws {
        let (isRefused, sending) = (decision != .editQueued, AsyncLatch())
        let left = Watched(isRefused ? 1 : 0)
        bench.server.respond(to: .put, "notes/*") { _ in
            if left.update({ left in
                defer { left -= 1 }
                return left > 0
            }) {
                return .status(.badRequest)
            }
            await sending.wait()
            return .status(.noContent)
        }
        let outbox = try bench.open()
        let mine = try bench.account(of: outbox)
        let (page, other) = (try await slowPage(mine), NotePage(sending: .durable(try bench.account(of: outbox))))
        await other.show("base")
        let first = try await page.save(.append("1"))
        if isRefused {
            mine.start()
            await waitUntil { page.pending == ["+1: failed"] && other.pending == ["+1: failed"] }
            for page in [page, other] { await page.answer("base") }
        } else {
            await waitUntil { other.pending == ["+1: queued"] }
        }
        let sights = [Sight(of: page), Sight(of: other)]

        let gate = AsyncLatch()
        latch.update { $0 = gate }
        let decided = Task {
            if decision == .retryRefused { return try await mine.retry(first) }
            try await mine.edit(
                first,
                to: AuthenticatedIdempotentEndpoint<Void>.write("+2", to: "a"),
                change: NoteChange.append("2"),
                label: "+2"
            )
        }
        await gate.arrivals(atLeast: 1)
        // It is never sent before the slow store shows it.
        mine.start()
        try await mine.letOthersRun()
        #expect(bench.received == (isRefused ? ["a: +1"] : []))
        gate.open()
        try await decided.value
        let number = decision == .retryRefused ? 1 : 2
        for page in [page, other] {
            #expect(page.note.value?.text == "base\(number)")
            #expect(page.note.pending.map(\.label) == ["+\(number)"])
        }

        sending.open()
        await waitUntil { page.note.pending.isEmpty && other.note.pending.isEmpty }
        let old = isRefused ? #"base: ["+1"]"# : #"base1: ["+1"]"#
        for sight in sights {
            #expect(sight.seen == [old, #"base\#(number): ["+\#(number)"]"#, "base\(number): []"])
        }
    }

    @Test(.rule("U4"))
    func `an edited change is sent, even if the session of the store that reads it has ended`() async throws {
        let (mine, page, first, gate) = try await refusedChange()
        let edit = Task {
            try await mine.edit(first, to: AuthenticatedIdempotentEndpoint<Void>.write("+2", to: "a"))
        }
        await gate.arrivals(atLeast: 1)
        page.store.reset()
        gate.open()
        _ = try await edit.value
        try await mine.waitUntilDrained()
        #expect(bench.received == ["a: +1", "a: +2"])
    }

    @Test(.rule("U4"))
    func `an operation waits for the stores that do not show its retry, although another retry fails`() async throws {
        let (mine, page, first, gate) = try await refusedChange()
        let retry = Task { try await mine.retry(first) }
        await gate.arrivals(atLeast: 1)
        let cancelled = Task { try await mine.retry(first) }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        try await mine.letOthersRun()
        #expect(bench.received == ["a: +1"])
        gate.open()
        try await retry.value
        try await mine.waitUntilDrained()
        #expect(bench.received == ["a: +1", "a: +1"])
        // Until here, there is a store for which the operation waits.
        await waitUntil { page.pending == [] }
    }
}
