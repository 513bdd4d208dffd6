import BackplaneFeatures
import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

extension NonAuthenticatedEndpoint<Note> {
    fileprivate static func note(_ id: Int) -> Self { Self(.get("notes/\(id)")) }
    fileprivate static func write(_ text: String, to id: Int) -> Self {
        Self(.put("notes/\(id)", body: .json(["text": text])))
    }
}

extension NonAuthenticatedEndpoint<Page<Int, Note>> {
    fileprivate static func notes(from cursor: Int?) -> Self {
        NonAuthenticatedEndpoint<[Note]>(.get("notes", query: ["from": cursor]))
            .map { Page($0, next: $0.last.map { $0.id + 1 }) }
    }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct ExplainedErrorTests {
    private let api = NetworkStub()
    private let clock = ManualClock()

    private func explained() throws -> some NetworkController<NonAuthenticatedNetworkController> {
        try api.service().explaining { error in error.reason ?? "Status \(error.status?.code ?? 0)." }
    }

    @Test(.rule("R2")) func `a load fails with a text for the user`() async throws {
        api.respond(to: .get, "notes/1", with: .status(.notFound))
        let note = Loader<Int, Note>(for: { .note($0) }, from: try explained())
        note.load(1)
        await note.settled()
        #expect(note.state.error?.localizedDescription == "Status 404.")
        #expect(note.state.isMissing)
    }

    @Test(.rule("R1", "R2")) func `an explained error has the same outcome as its cause`() async throws {
        api.respond(to: .get, "notes/1", with: .json(#"{"id":1,"text":"read"}"#))
        api.respond(
            to: .put,
            "notes/1",
            with: .status(.serviceUnavailable),
            .json(#"{"message":"No more notes."}"#, status: .unprocessableContent)
        )
        let controller = try explained()
        let store = RecordStore<Int, Note>(clock: clock)
        let note = Loader(store: store, for: { .note($0) }, from: controller)
        note.load(1)
        await note.settled()
        try note.enqueue(
            Mutation(.set(\.text, to: "x"), send: controller.sending(.write("x", to: 1)), confirming: { $0 })
        )
        await clock.sleepers(atLeast: 1)
        #expect(note.value?.text == "x")
        clock.advance(by: .seconds(3600))
        await waitUntil { note.pending.first?.status == .failed }
        #expect(note.value?.text == "read")
        #expect(note.pending.first?.error?.reason == "No more notes.")
    }

    @Test(.rule("R2")) func `a list performs the endpoint of each page`() async throws {
        api.respond(to: .get, "notes", with: .json(#"[{"id":1,"text":"a"}]"#), .json("[]"))
        let notes = PagedLoader(for: { .notes(from: $0) }, from: try api.service())
        notes.load()
        await notes.settled()
        notes.loadMore()
        await notes.settled()
        #expect(notes.items.map(\.id) == [1])
        #expect(api.requests.map(\.query) == [nil, "from=2"])
    }

    @Test(.rule("R2")) func `shared loads and loaders without an ID perform endpoints`() async throws {
        api.respond(to: .get, "notes/1", with: .json(#"{"id":1,"text":"read"}"#))
        let service = try api.service()
        let shared = SharedLoads<Int, Note>(for: { .note($0) }, from: service)
        #expect(try await shared.value(for: 1).text == "read")
        let single = Loader(initially: Note(id: 1, text: "known"), for: .note(1), from: service)
        single.load()
        #expect(single.value?.text == "known")
        await single.settled()
        #expect(single.value?.text == "read")
    }
}
