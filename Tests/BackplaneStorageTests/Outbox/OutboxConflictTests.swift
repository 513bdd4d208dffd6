import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Changes of a record that somebody else has changed, too.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct OutboxConflictTests {
    private let bench = OutboxBench()
    private static let theirs = #"{"id": "a", "text": "theirs", "tag": "v2"}"#

    /// Has the server refuse the first change, because it has another version.
    private func refuseFirst() {
        bench.answer(.json(Self.theirs, status: .preconditionFailed), .status(.noContent))
    }

    /// Returns an outbox with the change "mine" of a note that was "base" in version 1.
    private func outboxWithChange() async throws -> (ada: AccountOutbox, page: NotePage) {
        let (ada, page) = try await bench.page(tag: "v1")
        _ = try await page.save(.write("mine"))
        return (ada, page)
    }

    @Test(.rule("D22"))
    func `code resolves a conflict with all three versions, and sends a new operation`() async throws {
        refuseFirst()
        let (ada, _) = try await outboxWithChange()
        let seen = Watched<[String?]>([])
        ada.resolveConflicts(of: .notes) { [weak ada] (conflict: RecordConflict<NoteChange>) in
            seen.update { $0 += [conflict.base?.text, conflict.mine?.text, conflict.theirs?.text] }
            guard let theirs = conflict.theirs else { return }
            let merged = NoteChange.write("\(theirs.text) + \(conflict.mine?.text ?? "")")
            try await ada?.edit(
                conflict.operation.id,
                to: AuthenticatedIdempotentEndpoint<Void>.send(merged, to: "a"),
                change: merged,
                entityTag: theirs.tag
            )
        }
        ada.start()
        try await ada.waitUntilDrained()
        await bench.server.requests(atLeast: 2)
        try await ada.waitUntilDrained()
        #expect(seen.value == ["base", "mine", "theirs"])
        #expect(bench.received == ["a: mine", "a: theirs + mine"])
        #expect(bench.conditions == ["v1", "v2"])
        #expect(Set(bench.keys).count == 2)
        #expect(try await ada.states == [])
    }

    @Test(.rule("D22"))
    func `a conflict that no code resolves waits for the user, also in a later process`() async throws {
        refuseFirst()
        let (ada, _) = try await outboxWithChange()
        ada.start()
        await bench.event("parked: conflict")
        await ada.stop()

        let later = try bench.account(of: bench.open())
        later.start()
        try await later.letOthersRun()
        let operation = try #require(try await later.operations().first)
        let conflict = try #require(operation.conflict(over: NoteChange.self))
        #expect(conflict.base?.text == "base")
        #expect(conflict.mine?.text == "mine")
        #expect(conflict.theirs == Note(id: "a", text: "theirs", tag: "v2"))
        #expect(bench.received.count == 1)
        try await later.discard(operation.id)
        #expect(try await later.states == [])
    }

    @Test(.rule("D22"))
    func `a conflict removes the change from the record, and the resolution shows the new change`() async throws {
        refuseFirst()
        let (ada, page) = try await outboxWithChange()
        ada.start()
        await waitUntil { page.pending == ["mine: failed"] }
        #expect(page.note.value?.text == "base")
        #expect(page.note.pending.first?.error?.code == .rejected)
        await page.answer("theirs", tag: "v2")

        await ada.stop()
        let operation = try #require(try await ada.operations().first)
        try await ada.edit(
            operation.id,
            to: AuthenticatedIdempotentEndpoint<Void>.write("both", to: "a"),
            change: NoteChange.write("both"),
            entityTag: "v2"
        )
        await waitUntil { page.note.value?.text == "both" }
        #expect(page.note.pending.last?.isSaved == true)
    }

    @Test(.rule("D22"))
    func `if a conflict is decided during an earlier resolution, the closure is not called for it`() async throws {
        bench.answer(.json(Self.theirs, status: .preconditionFailed))
        let ada = try bench.account(of: bench.open())
        let page = NotePage(sending: .eachAlone(ada))
        await page.show("base", tag: "v1")
        let ids = [try await page.save(.write("1")), try await page.save(.write("2"))]
        ada.start()
        await waitUntil { ada.status.counts == [.conflict: 2] }
        await ada.stop()
        let asked = Watched<[IdempotencyKey]>([])
        ada.resolveConflicts(of: .notes) { [weak ada] (conflict: RecordConflict<NoteChange>) in
            asked.update { $0.append(conflict.operation.id) }
            if conflict.operation.id == ids[0] { try await ada?.retry(ids[1]) }
        }
        await asked.wait { !$0.isEmpty }
        try await ada.letOthersRun()
        #expect(asked.value == [ids[0]])
    }

    @Test(.rule("D22", "D27"))
    func `if the user has decided, a later resolution replaces nothing`() async throws {
        refuseFirst()
        let (ada, page) = try await outboxWithChange()
        ada.start()
        await bench.event("parked: conflict")
        await ada.stop()
        let (asked, latch, code) = (AsyncLatch(), AsyncLatch(), Watched<StorageError.Code?>(nil))
        ada.resolveConflicts(of: .notes) { [weak ada] (conflict: RecordConflict<NoteChange>) in
            asked.open()
            await latch.wait()
            do {
                try await ada?.edit(
                    conflict.operation.id,
                    to: AuthenticatedIdempotentEndpoint<Void>.write("both", to: "a")
                )
            } catch {
                code.update { $0 = (error as? StorageError)?.code }
            }
        }
        await asked.wait()
        let operation = try #require(page.note.pending.first?.id)
        try await ada.retry(operation)
        latch.open()
        await code.wait { $0 == .noSuchOperation }
        ada.start()
        try await ada.waitUntilDrained()
        #expect(bench.keys == ["\(operation)", "\(operation)"])
    }
}
