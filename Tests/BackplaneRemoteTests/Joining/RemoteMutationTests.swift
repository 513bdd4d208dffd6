import BackplaneConcurrency
import BackplaneFeatures
import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

struct Note: Codable, Equatable, Identifiable, Sendable {
    let id: Int
    var text: String
    var entityTag: String?
}

extension AuthenticatedEndpoint<Note> {
    static func note(_ id: Int) -> Self { tagged(.get("notes/\(id)")) }
    static func write(_ text: String, to id: Int) -> Self {
        tagged(.patch("notes/\(id)", body: .json(["text": text])))
    }

    private static func tagged(_ request: EndpointRequest) -> Self {
        Self(request).map { response, note in
            var note = note
            note.entityTag = response.headerFields[.eTag]
            return note
        }
    }
}

extension AuthenticatedEndpoint<Void> {
    static func clear(_ id: Int) -> Self { Self(.put("notes/\(id)/clear")) }
}

extension AuthenticatedIdempotentEndpoint<Note> {
    static func publish(_ id: Int) -> Self { Self(.post("notes/\(id)/publish")) }
}

/// A signed-in user with one loaded note, and a server that the test scripts.
@MainActor final class NotePage {
    let api = NetworkStub()
    let clock = ManualClock()
    let account: AuthenticatedNetworkController
    let store: RecordStore<Int, Note>
    let note: Loader<Int, Note>
    private var session: [NetworkError.Code] = []

    init(middlewares: [any NetworkMiddleware] = []) async throws {
        let service = try api.service { $0.middlewares = middlewares }
        account = AuthenticatedNetworkController(
            over: service,
            tokens: NetworkTokens(
                access: AccessToken(rawValue: "access"),
                refresh: RefreshToken(rawValue: "refresh"),
                expiresIn: .seconds(900)
            )
        ) { token in
            NonAuthenticatedEndpoint<NetworkTokens>(.post("refresh")) { _, _, _ in
                let access = AccessToken(rawValue: "access \(UUID())")
                return NetworkTokens(access: access, refresh: token, expiresIn: .seconds(900))
            }
        }
        store = RecordStore(entityTag: \.entityTag, clock: clock)
        note = Loader(store: store, for: { .note($0) }, from: account)
        api.respond(to: .get, "notes/1", with: Self.reply("read", tag: "v1"))
        note.load(1)
        await note.settled()
    }

    static func reply(_ text: String, tag: String) -> StubbedResponse {
        StubbedResponse(.ok, headerFields: [.eTag: tag], body: Data(#"{"id":1,"text":"\#(text)"}"#.utf8))
    }

    func write(_ text: String) throws { try write(text, through: account) }

    func write(_ text: String, through user: some NetworkController<AuthenticatedNetworkController>) throws {
        try note.enqueue(Mutation(.set(\.text, to: text), send: user.sending(.write(text, to: 1)), confirming: { $0 }))
    }

    var writes: [StubbedRequest] { api.requests.filter { $0.method != .get } }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct RemoteMutationTests {
    @Test(.rule("R2")) func `a loader performs the endpoint of its ID`() async throws {
        let page = try await NotePage()
        #expect(page.note.value?.text == "read")
        #expect(page.api.requests.map(\.description) == ["GET /notes/1"])
        #expect(page.api.requests.first?.bearer == "access")
    }

    @Test(.rule("R1", "R8"), arguments: [400, 403, 404, 409, 410, 412, 422])
    func `with default settings, a refusal undoes a change and shows the server's reason`(status: Int) async throws {
        let page = try await NotePage()
        let reason = #"{"title":"Refused","detail":"The text is too long."}"#
        page.api.respond(to: .patch, "notes/1", with: .json(reason, status: HTTPResponse.Status(code: status)))
        try page.write("written")
        #expect(page.note.value?.text == "written")
        await waitUntil { page.note.pending.first?.status == .failed }
        #expect(page.note.value?.text == "read")
        let error = try #require(page.note.pending.first?.error)
        #expect(error.code == .rejected)
        #expect(error.status == status)
        #expect(error.reason == "The text is too long.")
        #expect("\(error)".contains("status \(status)"))
        #expect(!"\(error)".contains("too long"))
        #expect(page.writes.count == 1)
    }

    @Test(.rule("R1", "A5"), arguments: [301, 408, 425, 429, 500, 502, 503, nil])
    func `a status without a decision, or a lost connection, does not undo a change`(status: Int?) async throws {
        let page = try await NotePage()
        page.api.respond(
            to: .patch,
            "notes/1",
            with: status.map { .status(.init(code: $0)) } ?? .failure(URLError(.networkConnectionLost)),
            NotePage.reply("written", tag: "v2")
        )
        try page.write("written")
        await page.clock.sleepers(atLeast: 1)
        #expect(page.note.pending.first?.status == .unconfirmed)
        #expect(page.note.pending.first?.error?.status == status)
        #expect(page.note.value?.text == "written")
        page.clock.advance(by: .seconds(3600))
        await waitUntil { page.note.pending.isEmpty }
        #expect(page.note.value?.text == "written")
        let keys = page.writes.map { $0.headerFields[.idempotencyKey] }
        #expect(keys.count == 2 && keys[0] != nil && keys[0] == keys[1])
    }

    @Test(.rule("R1", "D26"), arguments: [false, true])
    func `if the first request was not sent, a later conflict undoes the change`(isExplained: Bool) async throws {
        let page = try await NotePage()
        let offline = StubbedResponse.failure(URLError(.cannotConnectToHost))
        page.api.respond(to: .patch, "notes/1", with: offline, .status(.conflict))
        if isExplained {
            try page.write("written", through: page.account.explaining { _ in "" })
        } else {
            try page.write("written")
        }
        await page.clock.sleepers(atLeast: 1)
        #expect(page.note.pending.first?.status == .queued)
        page.clock.advance(by: .seconds(3600))
        await waitUntil { page.note.pending.first?.status == .failed }
        #expect(page.note.value?.text == "read")
        #expect(page.writes.count == 2)
    }

    @Test(.rule("R1")) func `an unreadable success confirms a change, and the value is loaded again`()
        async throws
    {
        let page = try await NotePage()
        page.api.respond(to: .patch, "notes/1", with: StubbedResponse(.ok, body: Data("<html>".utf8)))
        page.api.respond(to: .get, "notes/1", with: NotePage.reply("as written", tag: "v2"))
        try page.write("written")
        await waitUntil { page.note.value?.text == "as written" }
        #expect(page.note.pending.isEmpty)
        #expect(page.writes.count == 1)
    }

    @Test(.rule("R1")) func `a second 401 does not undo or confirm a change`() async throws {
        let page = try await NotePage()
        page.api.respond(to: .post, "refresh", with: .status(.ok))
        page.api.respond(to: .patch, "notes/1", with: .status(.unauthorized))
        try page.write("written")
        await waitUntil { page.note.pending.first?.error?.status == 401 }
        // The server has certainly not carried it out, as in an outbox.
        #expect(page.note.pending.first?.status == .queued)
        #expect(page.note.value?.text == "written")
        page.api.respond(to: .patch, "notes/1", with: NotePage.reply("written", tag: "v2"))
        page.note.retryPending()
        await waitUntil { page.note.pending.isEmpty }
        #expect(page.note.value?.text == "written")
    }

    @Test(.rule("R1")) func `a request that cannot be sent undoes its change`() async throws {
        let page = try await NotePage()
        try page.note.enqueue(
            Mutation(
                .set(\.text, to: "x"),
                send: page.account.sending(AuthenticatedEndpoint<Void>(.put("notes/\("")")))
            )
        )
        await waitUntil { page.note.pending.first?.status == .failed }
        #expect(page.note.value?.text == "read")
        #expect(page.writes.isEmpty)
    }

    @Test(.rule("R3", "R4")) func `a change is made for the last known revision of the server`()
        async throws
    {
        let page = try await NotePage()
        page.api.respond(
            to: .patch,
            "notes/1",
            with: NotePage.reply("one", tag: "v2"),
            NotePage.reply("two", tag: "v3")
        )
        page.api.respond(to: .put, "notes/1/clear", with: .status(.noContent))
        try page.write("one")
        try page.write("two")
        await waitUntil { page.note.pending.isEmpty && page.writes.count == 2 }
        #expect(page.writes.map { $0.headerFields[.ifMatch] } == ["v1", "v2"])

        // A response without a value leaves the tag unknown until the next load.
        let latch = AsyncLatch()
        page.api.respond(to: .get, "notes/1", with: NotePage.reply("", tag: "v9"), after: latch)
        try page.note.enqueue(Mutation(.set(\.text, to: ""), send: page.account.sending(.clear(1))))
        await waitUntil { page.note.pending.isEmpty && page.writes.count == 3 }
        try page.write("three")
        await page.api.requests(atLeast: 6)
        #expect(page.writes[2].headerFields[.ifMatch] == "v3")
        #expect(page.writes[3].headerFields[.ifMatch] == nil)
        latch.open()
        await waitUntil { page.note.pending.isEmpty }
    }

    @Test(.rule("R3")) func `a change made within the send of another one is sent without its revision`() async throws {
        let page = try await NotePage()
        page.api.respond(to: .patch, "notes/*", with: NotePage.reply("x", tag: "v2"))
        let other = Loader<Int, Note> { id in Note(id: id, text: "read") }
        other.load(2)
        await other.settled()
        let account = page.account
        try page.note.enqueue(
            Mutation(.set(\.text, to: "x")) { key in
                let write = AuthenticatedEndpoint<Note>.write("x", to: 2)
                try await other.mutate(Mutation(.set(\.text, to: "x"), send: account.sending(write)))
                _ = try await account.sending(AuthenticatedEndpoint<Note>.write("x", to: 1))(key)
            }
        )
        await waitUntil { page.note.pending.isEmpty }
        #expect(page.writes.map { $0.headerFields[.ifMatch] } == [nil, "v1"])
    }

    @Test(.rule("N24")) func `a change for a weak entity tag has no precondition`() async throws {
        let page = try await NotePage()
        let weak = NotePage.reply("one", tag: #"W/"v2""#)
        page.api.respond(to: .patch, "notes/1", with: weak, NotePage.reply("two", tag: "v3"))
        try page.write("one")
        try page.write("two")
        await waitUntil { page.note.pending.isEmpty && page.writes.count == 2 }
        #expect(page.writes.map { $0.headerFields[.ifMatch] } == ["v1", nil])
    }

    @Test(.rule("R3")) func `another revision on the server undoes the change, and the value is loaded again`()
        async throws
    {
        let page = try await NotePage()
        page.api.respond(to: .patch, "notes/1", with: .status(.preconditionFailed))
        page.api.respond(to: .get, "notes/1", with: NotePage.reply("theirs", tag: "v2"))
        try page.write("mine")
        await waitUntil { page.note.value?.text == "theirs" }
        #expect(page.note.pending.first?.error?.status == 412)
    }

    @Test(.rule("R3")) func `an endpoint keeps its own precondition`() async throws {
        let page = try await NotePage()
        page.api.respond(to: .patch, "notes/1", with: NotePage.reply("x", tag: "v2"))
        var endpoint = AuthenticatedEndpoint<Note>.write("x", to: 1)
        endpoint.request.headers[.ifMatch] = "*"
        try page.note.enqueue(Mutation(.set(\.text, to: "x"), send: page.account.sending(endpoint), confirming: { $0 }))
        await waitUntil { page.note.pending.isEmpty && !page.writes.isEmpty }
        #expect(page.writes.first?.headerFields[.ifMatch] == "*")
    }

    @Test(.rule("R3")) func `an endpoint that needs a key gets the key of the mutation`() async throws {
        let page = try await NotePage()
        page.api.respond(to: .post, "notes/1/publish", with: NotePage.reply("read", tag: "v2"))
        let mutation = Mutation<Note>(
            .edit { $0.text += "!" },
            send: page.account.sending(.publish(1)),
            confirming: { $0 }
        )
        try page.note.enqueue(mutation)
        await waitUntil { page.note.pending.isEmpty }
        #expect(page.writes.first?.headerFields[.idempotencyKey] == "\(mutation.id)")
    }

    @Test(.rule("R3", "N18")) func `the retries of a mutation and of the network do not multiply`() async throws {
        let page = try await NotePage(middlewares: [RetryMiddleware { _ in .zero }])
        page.api.respond(to: .patch, "notes/1", with: .status(.serviceUnavailable))
        try page.write("written")
        for attempt in 1...3 {
            await page.clock.sleepers(atLeast: 1)
            #expect(page.writes.count == attempt)
            page.clock.advance(by: .seconds(60))
        }
        #expect(page.note.value?.text == "written")
    }

    @Test(.rule("R8")) func `an action that performs an endpoint keeps its key`() async throws {
        let page = try await NotePage()
        page.api.respond(
            to: .post,
            "notes/1/publish",
            with: .status(.serviceUnavailable),
            NotePage.reply("read", tag: "v2"),
            NotePage.reply("read", tag: "v2")
        )
        let publish = IdempotentAction<Int, Note>(for: { .publish($0) }, through: page.account)
        await #expect(throws: NetworkError.self) { _ = try await publish(1) }
        _ = try await publish(1)
        _ = try await publish(1)
        let keys = page.writes.map { $0.headerFields[.idempotencyKey] }
        #expect(keys[0] == keys[1] && keys[1] != keys[2])
    }

    @Test(.rule("N18")) func `a shared load inside a retried operation is sent only once`() async throws {
        let page = try await NotePage(middlewares: [RetryMiddleware { _ in .zero }])
        page.api.respond(to: .get, "notes/2", with: .status(.serviceUnavailable), NotePage.reply("two", tag: "v1"))
        let account = page.account
        let loads = SharedLoads<Int, Note> { id in try await account.request(.note(id)) }
        await #expect(throws: NetworkError.self) {
            try await Retrying.$isUnderWay.withValue(true) { try await loads.value(for: 2) }
        }
        #expect(page.api.requests.filter { $0.path == "/notes/2" }.count == 1)
    }

    @Test(.rule("R8")) func `if the request of an action was refused, the next try has another key`() async throws {
        let page = try await NotePage()
        page.api.respond(
            to: .post,
            "notes/1/publish",
            with: .json(#"{"detail":"Not now."}"#, status: .conflict),
            NotePage.reply("read", tag: "v2")
        )
        let publish = IdempotentAction<Int, Note>(for: { .publish($0) }, through: page.account)
        let error = await #expect(throws: NetworkError.self) { _ = try await publish(1) }
        #expect(error?.reason == "Not now.")
        _ = try await publish(1)
        let keys = page.writes.map { $0.headerFields[.idempotencyKey] }
        #expect(keys[0] != nil && keys[1] != nil && keys[0] != keys[1])
    }
}
