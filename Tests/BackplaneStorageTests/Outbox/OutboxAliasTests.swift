import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Records that the app creates with an ID of its own, which the server replaces.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct OutboxAliasTests {
    private let bench = OutboxBench()

    init() {
        bench.server.respond(to: .put, "notes/*") { request in
            let id = request.path.hasSuffix("local-1") ? "server-1" : "\(request.path.split(separator: "/").last ?? "")"
            return .json(#"{"id": "\#(id)", "text": "from the server"}"#)
        }
    }

    private func store(_ ada: AccountOutbox) -> RecordStore<String, Note> {
        RecordStore(identity: { $0.id }, sending: .renaming(ada))
    }

    /// Creates a note and edits it, without a network.
    private func create(in ada: AccountOutbox) async throws -> (notes: NoteList, store: RecordStore<String, Note>) {
        let records = store(ada)
        let notes = NoteList(records)
        await notes.show([])
        try notes.list.insert(NoteChange.create(Note(id: "local-1", text: "draft")), label: "create")
        try notes.list.enqueue(NoteChange.append("!"), of: "local-1", label: "edit")
        await waitUntil { ada.status.counts == [.queued: 2] }
        return (notes, records)
    }

    @Test(.rule("D6", "A11"))
    func `requests that were not sent get the ID from the server, in their order`() async throws {
        let ada = try bench.account(of: bench.open())
        let (notes, store) = try await create(in: ada)
        try await ada.write("see local-1", to: "index", of: .uploads)
        await ada.networkChanged(isReachable: true, isMetered: true)
        ada.start()
        await waitUntil { ada.status.counts == [.queued: 1] }
        #expect(bench.received == ["local-1: new draft", "server-1: +!"])
        await ada.networkChanged(isReachable: true)
        try await ada.waitUntilDrained()
        #expect(bench.received.last == "index: see server-1")
        await waitUntil { notes.list.ids == ["server-1"] }
        #expect(store.currentID(of: "local-1") == "server-1")
    }

    @Test(.rule("D6", "A11"))
    func `the new ID is known, even if the feature is not open when the server confirms`() async throws {
        let old = try bench.account(of: bench.open())
        _ = try await create(in: old)
        let new = try bench.account(of: bench.open())
        _ = ChangeSender<String, Note>.renaming(new)
        new.start()
        try await new.waitUntilDrained()
        #expect(bench.received == ["local-1: new draft", "server-1: +!"])
    }

    @Test(.rule("D29"))
    func `operations that are saved later have the new ID, too`() async throws {
        let ada = try bench.account(of: bench.open())
        _ = try await create(in: ada)
        ada.start()
        try await ada.waitUntilDrained()
        // In a later process, too.
        await ada.stop()
        let later = try bench.account(of: bench.open())
        later.start()
        try await later.write("see local-1", to: "local-1", label: "late")
        try await later.waitUntilDrained()
        #expect(bench.received.last == "server-1: see server-1")
    }

    @Test(.rule("D29"))
    func `the ID is known to a sender of the same user in another window`() async throws {
        let outbox = try bench.open()
        let (ada, other) = (try bench.account(of: outbox), try bench.account(of: outbox))
        _ = try await create(in: ada)
        // The window that sends has no store of notes.
        other.start()
        try await other.waitUntilDrained()
        #expect(bench.received == ["local-1: new draft", "server-1: +!"])
    }

    @Test(.rule("D29"))
    func `the ID is encoded in the path and in the body`() async throws {
        let id = #"a/b?c "d" ü"#
        bench.server.respond(to: .put, "notes/*") { request in
            let isNew = request.path.hasSuffix("local-1")
            return try .json(String(decoding: JSONEncoder().encode(Note(id: isNew ? id : "", text: "")), as: UTF8.self))
        }
        let ada = try bench.account(of: bench.open())
        _ = try await create(in: ada)
        try await ada.write("see local-1", to: "index", of: .uploads)
        await ada.networkChanged(isReachable: true, isMetered: true)
        ada.start()
        await waitUntil { ada.status.counts == [.queued: 1] }
        await ada.networkChanged(isReachable: true)
        try await ada.waitUntilDrained()
        #expect(bench.server.requests.map(\.path).contains { $0.hasSuffix("notes/a%2Fb%3Fc%20%22d%22%20%C3%BC") })
        #expect(bench.received.last == "index: see \(id)")
    }

    @Test(.rule("D6"), arguments: ["alias", "operation"])
    func `a confirmation is written completely or not at all`(
        table: String
    ) async throws {
        let ada = try bench.account(of: bench.open())
        _ = try await create(in: ada)
        // The last steps of the confirmation fail: the new ID, or the next operation.
        let event = table == "alias" ? "INSERT ON alias" : "UPDATE OF request ON operation"
        try bench.execute("CREATE TRIGGER stop BEFORE \(event) BEGIN SELECT RAISE(ABORT, 'no'); END")
        ada.start()
        await bench.event("file failed: databaseFailed")
        #expect(try await ada.states == ["create: sending", "edit: queued"])
        #expect(try bench.texts("SELECT old FROM alias") == [])
        #expect(try bench.texts("SELECT isHead FROM operation ORDER BY seq") == ["1", "0"])
        try bench.execute("DROP TRIGGER stop")
        bench.clock.advance(by: .seconds(60))
        try await ada.waitUntilDrained()
        #expect(bench.received == ["local-1: new draft", "server-1: +!"])
    }

    @Test(.rule("D9", "A11"))
    func `if the server may know a request, the bytes of the request do not change`() async throws {
        bench.answer(.status(.badRequest), to: "refused")
        let ada = try bench.account(of: bench.open())
        try await ada.write("see local-1", to: "refused", of: .uploads)
        ada.start()
        await bench.event("parked: refused")
        await ada.stop()
        let bytes = try bench.texts("SELECT hex(request) FROM operation WHERE entity = 'refused'")
        let notes = NoteList(store(ada))
        await notes.show([])
        try notes.list.insert(NoteChange.create(Note(id: "local-1", text: "draft")))
        await waitUntil { ada.status.counts == [.queued: 1, .refused: 1] }
        ada.start()
        await waitUntil { ada.status.counts == [.refused: 1] }
        #expect(try bench.texts("SELECT hex(request) FROM operation WHERE entity = 'refused'") == bytes)
    }

    @Test(.rule("D29"))
    func `an ID that the server replaces twice is saved as the last one`() async throws {
        bench.server.respond(to: .put, "notes/*") { request in
            let old = "\(request.path.split(separator: "/").last ?? "")"
            return .json(#"{"id": "\#(old == "local-1" ? "server-1" : "final-1")", "text": ""}"#)
        }
        let ada = try bench.account(of: bench.open())
        _ = try await create(in: ada)
        ada.start()
        try await ada.waitUntilDrained()
        try await ada.write("see local-1", to: "local-1")
        try await ada.waitUntilDrained()
        #expect(bench.received == ["local-1: new draft", "server-1: +!", "final-1: see final-1"])
    }

    @Test(.rule("D29", "A11"))
    func `two windows know a created record by its new ID, whichever window sends the request`() async throws {
        let outbox = try bench.open()
        let (ada, other) = (try bench.account(of: outbox), try bench.account(of: outbox))
        let (first, second) = (NoteList(store(ada)), NoteList(store(other)))
        await first.show([])
        await second.show([])
        try first.list.insert(NoteChange.create(Note(id: "local-1", text: "draft")))
        await waitUntil { second.list.ids == ["local-1"] }
        try second.list.enqueue(NoteChange.append("!"), of: "local-1")
        await waitUntil { ada.status.total == 2 }
        other.start()
        await waitUntil { first.list.ids == ["server-1"] && second.list.ids == ["server-1"] }
        try await other.waitUntilDrained()
        #expect(bench.received == ["local-1: new draft", "server-1: +!"])
    }

    @Test(.rule("D29"), arguments: [false, true])
    func `a refused request keeps its bytes when it is sent again, even after a new ID`(isOffline: Bool) async throws {
        let offline = isOffline ? StubbedResponse.failure(URLError(.notConnectedToInternet)) : .status(.noContent)
        bench.answer(.status(451), offline, .status(.noContent), to: "index")
        let ada = try bench.account(of: bench.open())
        let index = try await ada.write("see local-1", to: "index", of: .uploads).id
        ada.start()
        await bench.event("parked: refused")
        await ada.stop()
        try await ada.retry(index)
        if isOffline {
            ada.start()
            await bench.clock.sleepers(atLeast: 1)
            await ada.stop()
        }
        await ada.networkChanged(isReachable: true, isMetered: true)
        let notes = NoteList(store(ada))
        await notes.show([])
        try notes.list.insert(NoteChange.create(Note(id: "local-1", text: "draft")))
        await waitUntil { ada.status.counts == [.queued: 2] }
        ada.start()
        await waitUntil { ada.status.counts == [.queued: 1] }
        await ada.networkChanged(isReachable: true)
        bench.clock.advance(by: .seconds(60))
        try await ada.waitUntilDrained()
        // One key means one request.
        let sent = bench.received.filter { $0.hasPrefix("index") }
        #expect(sent == Array(repeating: "index: see local-1", count: isOffline ? 3 : 2))
    }
}
