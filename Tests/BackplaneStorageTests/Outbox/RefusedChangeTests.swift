import BackplaneFeatures
import BackplaneNetworking
import BackplaneTesting
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneStorage

/// A refused change leaves the line, and stays at its record until somebody decides about it.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct RefusedChangeTests {
    /// The delivery of a parcel to the recipient with a code.
    private struct Deliver: RecordChange {
        let code: String

        var intent: Intent<String> { .edit { $0 = "delivered with \(code)" } }
    }

    private let bench = OutboxBench()

    /// The part of the app of a process that delivers parcels.
    private func parcel(
        _ sender: ChangeSender<String, String>,
        _ state: String = "on its way"
    ) async -> Loader<
        String, String
    > {
        let parcel = Loader<String, String>(store: RecordStore(sending: sender)) { _ in state }
        parcel.load("a")
        await parcel.settled()
        return parcel
    }

    private func sender(through mine: AccountOutbox) -> ChangeSender<String, String> {
        ChangeSender(as: .notes, through: mine) { (change: Deliver, parcel: String) in
            AuthenticatedIdempotentEndpoint<Void>.write(change.code, to: parcel)
        }
    }

    private func memory() throws -> ChangeSender<String, String> {
        let controller = try bench.controller()
        return ChangeSender { (change: Deliver, parcel: String, key: IdempotencyKey) in
            try await controller.request(
                AuthenticatedIdempotentEndpoint<Void>.write(change.code, to: parcel),
                key: "\(key)"
            )
        }
    }

    /// Has the server refuse the code 1.
    private func refuseCode1() {
        bench.server.respond(to: .put, "notes/*") { request in
            try request.json([String: String].self)["text"] == "1"
                ? .json(#"{"detail": "Wrong code."}"#, status: .unprocessableContent) : .status(.noContent)
        }
    }

    private func progress(_ parcel: Loader<String, String>) -> [String] {
        parcel.pending.map { "\($0.label ?? ""): \($0.status), \($0.error?.reason ?? "no reason")" }
    }

    @Test(.rule("U4", "R6"), arguments: [false, true])
    func `a refused parcel can be sent with another code after a restart`(
        isDurable: Bool
    ) async throws {
        refuseCode1()
        var mine = try bench.account(of: bench.open())
        mine.start()
        var parcel = await parcel(isDurable ? sender(through: mine) : try memory())
        try parcel.enqueue(Deliver(code: "1"), label: "code 1")
        await waitUntil { progress(parcel) == ["code 1: failed, Wrong code."] }
        #expect(parcel.value == "on its way")
        #expect(parcel.pending.map(\.isSaved) == [isDurable])
        if isDurable {
            await mine.stop()
            mine = try bench.account(of: bench.open())
            mine.start()
            parcel = await self.parcel(sender(through: mine))
            #expect(progress(parcel) == ["code 1: failed, Wrong code."])
            #expect(parcel.pending.map(\.isSaved) == [true])
            #expect(parcel.pending.first?.error?.code == .rejected)
            #expect(parcel.pending.first?.error?.status == 422)
        }

        // The user has not dismissed the first one.
        try await parcel.mutate(Deliver(code: "2"), label: "code 2")
        #expect(bench.received == ["a: 1", "a: 2"])
        #expect(progress(parcel) == ["code 1: failed, Wrong code."])
        #expect(isDurable ? try await mine.states == ["code 1: refused"] : true)
        parcel.dismiss(try #require(parcel.pending.first?.id))
        #expect(parcel.pending.isEmpty)
        await waitUntil { mine.status.total == 0 }
    }

    @Test(.rule("U4"), arguments: [false, true])
    func `if a change failed with a refused one, it stays until it is dismissed`(isDurable: Bool) async throws {
        refuseCode1()
        let mine = try bench.account(of: bench.open())
        mine.start()
        let parcel = await parcel(isDurable ? sender(through: mine) : try memory())
        try parcel.enqueue(Deliver(code: "1"), label: "code 1")
        let refused = try #require(parcel.pending.first?.id)
        try parcel.enqueue(Deliver(code: "2"), label: "code 2", after: [refused])
        await waitUntil { parcel.pending.map(\.status) == [.failed, .failed] }
        await waitUntil { mine.status.total == (isDurable ? 2 : 0) }
        parcel.dismiss(refused)
        await waitUntil { mine.status.total == 0 }
        // The store reads the file again.
        parcel.retryPending()
        try await mine.letOthersRun()
        try await parcel.mutate(Deliver(code: "3"), label: "code 3")
        #expect(parcel.pending.map(\.label) == ["code 2"])
        #expect(parcel.pending.first?.error?.code == .dependencyFailed)
        parcel.dismiss(try #require(parcel.pending.first?.id))
        #expect(parcel.pending.isEmpty)
    }

    @Test(.rule("U4", "D21"))
    func `if another process sends a refused change again, the refusal is no longer shown`() async throws {
        refuseCode1()
        let first = try bench.account(of: bench.open())
        first.start()
        let old = await parcel(sender(through: first))
        try old.enqueue(Deliver(code: "1"), label: "code 1")
        await waitUntil { old.pending.first?.status == .failed }
        await first.stop()

        let mine = try bench.account(of: bench.open())
        let parcel = await parcel(sender(through: mine))
        let refused = try #require(parcel.pending.first?.id)
        try await mine.edit(
            refused,
            to: AuthenticatedIdempotentEndpoint<Void>.write("2", to: "a"),
            change: Deliver(code: "2"),
            label: "code 2"
        )
        await waitUntil { parcel.pending.map(\.label) == ["code 2"] }
        #expect(parcel.value == "delivered with 2")
        mine.start()
        await waitUntil { parcel.pending.isEmpty }
        #expect(bench.received == ["a: 1", "a: 2"])
    }

    @Test(.rule("U4"))
    func `a change that needs a refused one is also failed after a restart, and both end together`() async throws {
        let refusal = StubbedResponse.status(.badRequest)
        bench.answer(refusal, refusal, .status(.noContent))
        let first = try bench.account(of: bench.open())
        let old = NotePage(sending: .durable(first))
        await old.show("base")
        let refused = try await old.save(.append("1"))
        _ = try await old.save(.append("2"), after: [refused])
        _ = try await old.save(.append("3"))
        first.start()
        await waitUntil { old.pending == ["+1: failed", "+2: failed", "+3: failed"] }
        await first.stop()

        let (mine, page) = try await bench.page()
        #expect(page.pending == ["+1: failed", "+2: failed", "+3: failed"])
        #expect(page.note.pending.map(\.error?.code) == [.rejected, .dependencyFailed, .rejected])
        #expect(page.note.value?.text == "base")
        // A look at the file changes nothing.
        mine.changed(kinds: ["notes"])
        try await mine.letOthersRun()
        #expect(page.pending == ["+1: failed", "+2: failed", "+3: failed"])
        try await mine.retry(refused)
        await waitUntil { page.pending == ["+3: failed", "+1: queued", "+2: queued"] }
        #expect(page.note.value?.text == "base12")
        mine.start()
        await waitUntil { page.pending == ["+3: failed"] }
        #expect(bench.received == ["a: +1", "a: +3", "a: +1", "a: +2"])
    }

    @Test(.rule("U4"))
    func `a dismissed change that needs a refused one is never sent`() async throws {
        bench.answer(.status(.badRequest), .status(.noContent))
        let (mine, page) = try await bench.page()
        let refused = try await page.save(.append("1"))
        let second = try await page.save(.append("2"), after: [refused])
        mine.start()
        await waitUntil { page.pending == ["+1: failed", "+2: failed"] }
        page.note.dismiss(second)
        await waitUntil { mine.status.counts == [.refused: 1] }
        try await mine.retry(refused)
        try await mine.waitUntilDrained()
        #expect(bench.received == ["a: +1", "a: +1"])
    }

    @Test(.rule("U4", "D21"))
    func `while a dismissed refusal is being discarded, it is not shown again`() async throws {
        bench.answer(.status(.badRequest))
        let (mine, page) = try await bench.page()
        mine.start()
        for number in 1...20 { _ = try await page.save(.append("\(number)")) }
        await waitUntil { page.note.pending.allSatisfy { $0.status == .failed } }
        for failure in page.note.pending {
            page.note.dismiss(failure.id)
            // Others have changed something, so the store looks at the file.
            mine.changed(kinds: ["notes"])
            await Task.yield()
        }
        await waitUntil { mine.status.total == 0 }
        try await mine.letOthersRun()
        #expect(page.pending == [])
    }

    @Test(.rule("U4", "D22"))
    func `a conflict stops the later changes of the record until it is resolved`() async throws {
        bench.answer(.json("{}", status: .preconditionFailed), .status(.noContent))
        let (mine, page) = try await bench.page(tag: "v1")
        let first = try await page.save(.append("1"))
        _ = try await page.save(.append("2"))
        mine.start()
        await bench.event("parked: conflict")
        #expect(try await mine.waitUntilDrained().counts == [.conflict: 1, .queued: 1])
        try await mine.retry(first)
        #expect(try await mine.waitUntilDrained().total == 0)
        #expect(bench.received == ["a: +1", "a: +1", "a: +2"])
        // The condition that has failed is left out.
        #expect(bench.conditions.prefix(2) == ["v1", "none"])
    }

    @Test(.rule("U5"))
    func `while a store saves many changes, it does not read its own changes again`() async throws {
        let outbox = try bench.open()
        let mine = try bench.account(of: outbox)
        let page = NotePage(sending: .durable(mine))
        await page.show("base")
        let reads = Watched(0)
        try await outbox.file.database.write { database in
            database.trace { event in
                if "\(event)".contains("change IS NOT NULL") { reads.update { $0 += 1 } }
            }
        }
        for number in 1...20 { _ = try await page.save(.append("\(number)")) }
        try await mine.letOthersRun()
        #expect(reads.value == 0)

        // Others hear it.
        let other = NotePage(sending: .durable(try bench.account(of: outbox)))
        await other.show("base")
        #expect(reads.value == 1)
        _ = try await page.save(.append("!"))
        await waitUntil { other.note.pending.count == 21 }
        #expect(reads.value == 2)

        // And the end of a refusal, unless they have dismissed it.
        bench.answer(.status(.badRequest))
        mine.start()
        await waitUntil { page.note.pending.allSatisfy { $0.status == .failed } }
        await waitUntil { other.note.pending.allSatisfy { $0.status == .failed } }
        let before = reads.value
        page.note.dismiss(try #require(page.note.pending.first?.id))
        await waitUntil { other.note.pending.count == 20 }
        #expect(reads.value == before + 1)
    }
}
