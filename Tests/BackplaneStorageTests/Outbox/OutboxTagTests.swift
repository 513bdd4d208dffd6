import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// The versions for which the changes of several records are sent, if one entity has them all.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct OutboxTagTests {
    private let bench = OutboxBench()

    /// Returns an outbox with a change of the note "a", one of "b", and another one of "a".
    private func outboxWithChanges() async throws -> AccountOutbox {
        let ada = try bench.account(of: bench.open())
        let store = RecordStore<String, Note>(
            entityTag: { $0.tag },
            sending: ChangeSender(
                as: .notes,
                through: ada,
                entity: { (_: NoteChange, _: String) -> String? in "all" },
                endpoint: { (change: NoteChange, note: String) -> AuthenticatedIdempotentEndpoint<Void> in
                    .send(change, to: note)
                }
            )
        )
        let loaders = ["a", "b"].map { id in
            let loader = Loader(store: store) { (id: String) in Note(id: id, text: "", tag: "\(id)1") }
            loader.load(id)
            return loader
        }
        for loader in loaders { await loader.settled() }
        try loaders[0].enqueue(NoteChange.write("1"))
        try loaders[1].enqueue(NoteChange.write("2"))
        try loaders[0].enqueue(NoteChange.write("3"))
        await waitUntil { ada.status.counts == [.queued: 3] }
        return ada
    }

    @Test(.rule("D28"))
    func `the tag of a response is used only for changes of its record`() async throws {
        bench.server.respond(to: .put, "notes/*") { request in
            StubbedResponse(.noContent, headerFields: [.eTag: "\(request.path.suffix(1))2"])
        }
        let ada = try await outboxWithChanges()
        ada.start()
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: 1", "b: 2", "a: 3"])
        #expect(bench.conditions == ["a1", "b1", "a2"])
    }

    @Test(.rule("D28"))
    func `a response without a tag does not change the conditions of other records`() async throws {
        let ada = try await outboxWithChanges()
        ada.start()
        try await ada.waitUntilDrained()
        #expect(bench.conditions == ["a1", "b1", "none"])
    }

    @Test(.rule("D28"))
    func `if a question finds that a change was carried out, the next change has no condition`() async throws {
        bench.answer(.failure(Offline()), .status(.noContent))
        let ada = try await outboxWithChanges()
        ada.review(.notes) { _ in true }
        ada.start()
        try await ada.attempted(1)
        await bench.pass(.seconds(3600))
        await bench.server.requests(atLeast: 3)
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: 1", "b: 2", "a: 3"])
        #expect(bench.conditions == ["a1", "b1", "none"])
    }

    @Test(.rule("D28"))
    func `an operation without a record sets no condition for its entity`() async throws {
        let ada = try await outboxWithChanges()
        // The direct operation is the first of the entity, and its tag is that of no known record.
        bench.answer(StubbedResponse(.noContent, headerFields: [.eTag: "all2"]), .status(.noContent))
        try bench.execute("UPDATE operation SET record = NULL, change = NULL WHERE seq = 1")
        ada.start()
        try await ada.waitUntilDrained()
        #expect(bench.conditions == ["a1", "none", "none"])
    }
}
