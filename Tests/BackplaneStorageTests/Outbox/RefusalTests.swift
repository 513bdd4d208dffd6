import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import HTTPTypes
import TestSupport
import Testing

/// Tests of changes that the server has refused, at their records and in the file.
@Suite(.timeLimit(.minutes(1))) @MainActor struct RefusalTests {
    private struct Write: RecordChange {
        let text: String

        var intent: Intent<String> { .replace(text) }
    }

    private let bench = OutboxBench()

    init() {
        let refused = StubbedResponse.json(#"{"message":"No more notes."}"#, status: .unprocessableContent)
        bench.server.respond(to: .put, "notes/*", with: refused, .status(.noContent))
    }

    @Test(.rule("D21"))
    func `dismissing a refused change discards its operation`() async throws {
        let ada = try bench.account(of: try bench.open())
        let sender = ChangeSender<String, String>(
            as: .notes,
            through: ada,
            endpoint: { (change: Write, note: String) in .write(change.text, to: note) }
        )
        let note = Loader<String, String>(store: RecordStore(sending: sender)) { _ in "" }
        note.load("a")
        await note.settled()
        ada.start()
        try note.enqueue(Write(text: "first"))
        await waitUntil { note.pending.first?.status == .failed }
        #expect(note.pending.first?.error?.reason == "No more notes.")
        #expect(try await ada.operations(limit: 9).map(\.state) == [.refused])

        try note.enqueue(Write(text: "second"))
        for failure in note.pending where failure.status == .failed { note.dismiss(failure.id) }
        await waitUntil { note.pending.isEmpty }
        #expect(bench.received == ["a: first", "a: second"])
        #expect(try await ada.operations(limit: 9).isEmpty)
    }

    @Test func `the reason of a refused operation is in the words of the app`() async throws {
        let outbox = try bench.open()
        let ada = outbox.account(
            "ada",
            through: try bench.controller(),
            explaining: { "\($0.status?.code ?? 0): later" }
        )
        ada.start()
        let operation = try await ada.enqueue(.write("hi", to: "a"), of: .notes, entity: "a")
        let failure = await #expect(throws: OutboxFailure.self) { try await operation.response() }
        #expect(failure?.operation.reason == "422: later")
        #expect(try await ada.operations(limit: 9).map(\.reason) == ["422: later"])
    }

    @Test(.rule("D23"))
    func `confirmed changes no longer count toward the limits of the outbox`() async throws {
        bench.server.respond(to: .put, "notes/*", with: .status(.noContent))
        let ada = try bench.account(of: try bench.open(limits: Outbox.Limits(bytes: 3_000)))
        let sender = ChangeSender<String, String>(
            as: .notes,
            through: ada,
            endpoint: { (change: Write, note: String) in .write(change.text, to: note) }
        )
        let note = Loader<String, String>(store: RecordStore(sending: sender)) { _ in "" }
        note.load("a")
        await note.settled()
        ada.start()
        for _ in 1...20 {
            try note.enqueue(Write(text: String(repeating: "x", count: 200)))
            await waitUntil { note.pending.allSatisfy { $0.status == .failed } }
        }
        #expect(note.pending.isEmpty)
        #expect(bench.received.count == 20)
    }
}
