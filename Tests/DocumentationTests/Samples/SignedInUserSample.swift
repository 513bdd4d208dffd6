// The samples of Sources/BackplaneRemote/BackplaneRemote.docc/SignedInUser.md, with tests.

import Backplane
import BackplaneFeatures
import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import HTTPTypes
import Testing

struct Reader: Codable, Identifiable, Sendable {
    let id: String
    var name: String
}

extension AuthenticatedEndpoint<Reader> {
    static var me: Self { Self(.get("me")) }
}

func makeSession(over service: NonAuthenticatedNetworkController, vault: any TokenVault) -> UserSession<Reader> {
    UserSession(
        over: service,
        vault: vault,
        user: .me,
        refresh: { .refresh($0) },
        revokingWith: { .revocation(of: $0) }
    )
}

@MainActor final class ReaderModel {
    private(set) var problem: String?
    /// The notes of the reader who is signed in.
    let notes = RecordStore<String, String>()
    private let service: NonAuthenticatedNetworkController
    private let session: UserSession<Reader>

    init(service: NonAuthenticatedNetworkController, session: UserSession<Reader>) {
        self.service = service
        self.session = session
    }

    var greeting: String {
        switch session.state {
        case .unknown: "Welcome"
        case .signedOut(let reason): reason == .expired ? "You have been signed out. Log in again." : "Log in"
        case .signedIn(let account): "Hello, \(account.user.name)"
        }
    }

    func resume() async {
        do {
            problem = nil
            try await session.resume()?.own(notes)
        } catch {
            problem = "You are offline. Try again."
        }
    }

    func logIn(name: String, password: String) async throws {
        let tokens = try await service.request(.login(name: name, password: password))
        try await session.logIn(with: tokens).own(notes)
    }

    func signOut() async throws {
        try await session.signOut()
    }
}

enum ReadingRoom: BoardContract { typealias Input = UserAccount<Reader> }

final class ReadingRoomBoard: Board {
    let slot: Slot<ReadingRoom>
    private let books = RecordStore<String, String>()

    init(slot: Slot<ReadingRoom>, account: UserAccount<Reader>) {
        self.slot = slot
        account.own(books, on: slot.owner)
    }

    func activate(with account: UserAccount<Reader>) {
        task {
            if await account.ended() != nil { self.complete() }
        }
    }
}

extension BoardID<ReadingRoom> { fileprivate static var readingRoom: Self { "readingRoom" } }

@MainActor @Suite(.timeLimit(.minutes(5))) struct SignedInUserSample {
    private let api = NetworkStub()

    @Test func `a reader logs in, reads and signs out`() async throws {
        api.respond(to: .post, "login", with: .json(#"{"access_token":"a","refresh_token":"r"}"#))
        api.respond(to: .get, "me", with: .json(#"{"id":"ada","name":"Ada"}"#))
        api.respond(to: .post, "token/revoke", with: .json("{}"))
        let service = try NonAuthenticatedNetworkController(baseURL: api.baseURL, transport: api)
        let session = makeSession(over: service, vault: MemoryTokenVault())
        let model = ReaderModel(service: service, session: session)
        #expect(model.greeting == "Welcome")
        await model.resume()
        #expect(model.greeting == "Log in")
        try await model.logIn(name: "ada", password: "swordfish")
        #expect(model.greeting == "Hello, Ada")
        let account = try #require(session.account)
        let motherboard = Motherboard.onMain()
        motherboard.register(.readingRoom) { slot, account in ReadingRoomBoard(slot: slot, account: account) }
        let room = motherboard.activate(.readingRoom, with: account)
        try await model.signOut()
        #expect(model.greeting == "Log in")
        while room.state != .completed { await Task.yield() }
        #expect(api.requests.last?.path == "/token/revoke")
    }
}
