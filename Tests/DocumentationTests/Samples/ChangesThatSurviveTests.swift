// Tests of the samples of Sources/BackplaneStorage/BackplaneStorage.docc/ChangesThatSurvive.md.

import BackplaneFeatures
import BackplaneNetworking
import BackplaneRemote
import BackplaneStorage
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// The app as a process assembles it.
@MainActor private struct GroceryApp {
    let outbox: Outbox
    let mine: AccountOutbox
    let items: Loader<String, [Grocery]>
    let model: GroceryModel

    init(in directory: URL, for user: String, through controller: AuthenticatedNetworkController) throws {
        let outbox = try Outbox(
            file: directory.appending(path: "outbox.sqlite"),
            kinds: [.groceries, .orders, .notes]
        )
        let mine = outbox.account(user, through: controller)
        mine.start()
        let lists = RecordStore<String, [Grocery]>(
            sending: ChangeSender(as: .groceries, through: mine) { (change: Buy, list) in
                .buy(change.item, in: list)
            }
        )
        self.outbox = outbox
        self.mine = mine
        items = Loader(store: lists, for: { .groceries(in: $0) }, from: controller)
        model = GroceryModel(list: "weekend", items: items)
    }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct ChangesThatSurviveTests {
    private let directory = TemporaryDirectory()
    private let server = NetworkStub()

    init() {
        respond(isBought: false)
        server.respond(to: .put, "lists/weekend/bought/milk", with: .status(.noContent))
    }

    private func respond(isBought: Bool) {
        server.respond(to: .get, "lists/weekend", with: .json(#"[{"id":"milk","isBought":\#(isBought)}]"#))
    }

    private func makeController() throws -> AuthenticatedNetworkController {
        let tokens = NetworkTokens(
            access: AccessToken(rawValue: "access"),
            refresh: RefreshToken(rawValue: "refresh"),
            expiresIn: .seconds(900)
        )
        let service = try NonAuthenticatedNetworkController(baseURL: server.baseURL, transport: server)
        return AuthenticatedNetworkController(over: service, tokens: tokens) { _ in
            NonAuthenticatedEndpoint<NetworkTokens>(.post("refresh")) { _, _, _ in tokens }
        }
    }

    /// Starts the app as a new process does.
    private func launch() throws -> GroceryApp {
        try GroceryApp(in: directory.url, for: "ada", through: makeController())
    }

    private var puts: [StubbedRequest] { server.requests.filter { $0.method == .put } }

    @Test(.rule("R6", "M10", "D1", "D12"))
    func `a change that was made offline is shown and sent by the next process`() async throws {
        server.respond(
            to: .put,
            "lists/weekend/bought/milk",
            with: .failure(URLError(.notConnectedToInternet))
        )
        let first = try launch()
        await first.items.settled()
        try first.model.buy("milk")
        #expect(first.items.value?.map(\.isBought) == [true])
        await waitUntil { first.items.pending(of: "milk").first?.isSaved == true }
        await waitUntil { notice(about: first.mine) != nil }
        await server.requests(atLeast: 2)
        await first.mine.stop()
        let attempts = puts

        let latch = AsyncLatch()
        server.respond(to: .put, "lists/weekend/bought/milk", with: .status(.noContent), after: latch)
        let second = try launch()
        await waitUntil { second.items.value != nil }
        #expect(second.items.value?.map(\.isBought) == [true])
        respond(isBought: true)
        latch.open()
        await waitUntil { second.items.pending.isEmpty }
        #expect(puts.count == attempts.count + 1)
        #expect(Set(puts.map { $0.headerFields[.idempotencyKey] }).count == 1)
        try await second.mine.waitUntilDrained()
        #expect(try await second.mine.operations(limit: 1).isEmpty)
    }

    @Test(.rule("R6"))
    func `the same feature sends a change from memory`() async throws {
        let controller = try makeController()
        let lists = RecordStore<String, [Grocery]>(
            sending: ChangeSender { (change: Buy, list, key) in
                try await controller.request(.buy(change.item, in: list), key: "\(key)")
            }
        )
        let items = Loader(store: lists, for: { .groceries(in: $0) }, from: controller)
        let model = GroceryModel(list: "weekend", items: items)
        await items.settled()
        respond(isBought: true)
        try model.buy("milk")
        #expect(items.value?.map(\.isBought) == [true])
        #expect(items.pending.map(\.isSaved) == [false])
        await waitUntil { items.pending.isEmpty }
        #expect(puts.count == 1)
    }

    @Test func `an order returns the response of the server`() async throws {
        server.respond(to: .post, "lists/weekend/orders", with: .json(#"{"number":7}"#))
        let app = try launch()
        #expect(try await orderNumber(from: app.mine) == 7)
    }

    @Test(.rule("D22"))
    func `a conflict is resolved by a new operation for the version of the server`() async throws {
        server.respond(
            to: .put,
            "notes/weekend",
            with: .json(#"{"text":"Theirs","tag":"v2"}"#, status: .preconditionFailed),
            .status(.noContent)
        )
        let outbox = try Outbox(file: directory.file("outbox.sqlite"), kinds: [.notes])
        let mine = outbox.account("ada", through: try makeController())
        mergeNotes(of: mine)
        mine.start()
        let notes = RecordStore<String, GroceryNote>(
            entityTag: \.tag,
            sending: ChangeSender(as: .notes, through: mine) { (change: EditNote, _) in .edit(change) }
        )
        let note = Loader(store: notes) { _ in GroceryNote(text: "Old", tag: "v1") }
        note.load("weekend")
        await note.settled()
        try note.enqueue(EditNote(list: "weekend", text: "Mine"))
        await server.requests(atLeast: 2)
        #expect(puts.map { $0.headerFields[.ifMatch] } == ["v1", "v2"])
        #expect(try puts.map { try $0.json(EditNote.self).text } == ["Mine", "Theirs\nMine"])
    }

    @Test(arguments: [true, false])
    func `a refused change is sent again or discarded`(isSentAgain: Bool) async throws {
        server.respond(
            to: .put,
            "lists/weekend/bought/milk",
            with: .json(#"{"detail":"There is no milk."}"#, status: .unprocessableContent),
            .status(.noContent)
        )
        let app = try launch()
        await app.items.settled()
        try app.model.buy("milk")
        let parked = ParkedChanges(outbox: app.mine)
        await waitUntil { !parked.operations.isEmpty }
        let refused = try #require(parked.operations.first)
        #expect(parked.sentence(about: refused).hasSuffix(": There is no milk."))
        if isSentAgain { try await parked.retry(refused) } else { try await parked.discard(refused) }
        await waitUntil { parked.operations.isEmpty && app.items.pending.isEmpty }
        #expect(puts.count == (isSentAgain ? 2 : 1))
    }

    @Test(.rule("D17"))
    func `the app sends an operation that an extension has left`() async throws {
        try addFromExtension(for: "ada", to: directory.url)
        let app = try launch()
        #expect(try await importInbox(in: directory.url, into: app.outbox).isEmpty)
        try await app.mine.waitUntilDrained()
        #expect(puts.map(\.path) == ["/lists/weekend/bought/milk"])
    }

    @Test(.rule("D7"))
    func `after a user discards the unsent operations, none are left`() async throws {
        server.respond(
            to: .put,
            "lists/weekend/bought/milk",
            with: .failure(URLError(.notConnectedToInternet))
        )
        let app = try launch()
        await app.items.settled()
        try app.model.buy("milk")
        await server.requests(atLeast: 2)
        try await leave(app.mine, discardingUnsent: true) {}
        #expect(try await app.mine.operations(limit: 1).isEmpty)
    }
}
