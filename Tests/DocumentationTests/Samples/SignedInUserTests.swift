// The tests of Sources/BackplaneRemote/BackplaneRemote.docc/SignedInUser.md.

import Backplane
import BackplaneNavigation
import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import Foundation
import HTTPTypes
import Testing

@MainActor @Suite(.timeLimit(.minutes(5))) struct SignedInUserTests {
    private struct NoForm: Error {}

    private let api = NetworkStub()
    private let motherboard = Motherboard.onMain()
    private let navigator = Navigator<ReaderScreen>.onMain(hasTransitions: false)

    init() {
        api.respond(to: .post, "login", with: .json(#"{"access_token":"a","refresh_token":"r"}"#))
        api.respond(to: .get, "me", with: .json(#"{"id":"ada","name":"Ada"}"#))
        api.respond(to: .post, "token/revoke", with: .json("{}"))
    }

    private func install(with vault: any TokenVault) throws -> UserSession<Reader> {
        let service = try NonAuthenticatedNetworkController(baseURL: api.baseURL, transport: api)
        let session = makeSession(over: service, vault: vault)
        motherboard.install(ReaderModule(service: service, session: session, navigator: navigator))
        return session
    }

    private func form() throws -> SignInModel {
        guard case .signIn(let form)? = navigator.top?.screen else { throw NoForm() }
        return form
    }

    /// The screens of the window, the lowest first.
    private var screens: [String] {
        navigator.places.map { place in
            switch place.screen {
            case .signIn: "sign-in"
            case .bookList: "books"
            case .book(let id): id
            }
        }
    }

    @Test func `a reader signs in, reads and signs out`() async throws {
        let service = try NonAuthenticatedNetworkController(baseURL: api.baseURL, transport: api)
        let session = makeSession(over: service, vault: MemoryTokenVault())
        let model = ReaderModel(service: service, session: session)
        #expect(model.greeting == "Welcome")
        await model.resume()
        #expect(model.greeting == "Sign in")
        try await model.signIn(name: "ada", password: "swordfish")
        #expect(model.greeting == "Hello, Ada")
        let account = try #require(session.account)
        motherboard.install(ReaderModule(service: service, session: session, navigator: navigator))
        let room = motherboard.activate(ReadingRoom.id, with: account)
        try await model.signOut()
        #expect(model.greeting == "Sign in")
        while room.state != .completed { await Task.yield() }
        #expect(api.requests.last?.path == "/token/revoke")
    }

    @Test func `a link during the sign-in keeps the form, and a sign-out shows the form again`() async throws {
        let latch = AsyncLatch()
        api.respond(to: .post, "login", with: .json(#"{"access_token":"a","refresh_token":"r"}"#), after: latch)
        let session = try install(with: MemoryTokenVault())
        motherboard.activate(ReaderSignIn.id)
        let form = try form()
        await waitUntil { form.needsSignIn }
        form.name = "ada"
        form.signIn()
        await latch.arrivals(atLeast: 1)

        let book = motherboard.open("/book/walden")
        #expect(book == .waiting)
        #expect(try self.form() === form)
        #expect(form.name == "ada")
        #expect(form.isBusy)

        latch.open()
        await waitUntil { screens == ["books", "walden"] }
        #expect(book == .opened)
        #expect(motherboard.graph().unregistered.isEmpty)

        try await session.signOut()
        await waitUntil { screens == ["sign-in"] }
        let next = try self.form()
        await waitUntil { next.needsSignIn }
        #expect(next.name.isEmpty)
    }

    @Test func `a reader who is offline at launch tries again, and needs no form`() async throws {
        api.respond(
            to: .get,
            "me",
            with: .failure(URLError(.notConnectedToInternet)),
            .json(#"{"id":"ada","name":"Ada"}"#)
        )
        let tokens = NetworkTokens(access: AccessToken(rawValue: "a"), refresh: RefreshToken(rawValue: "r"))
        _ = try install(with: MemoryTokenVault(tokens))
        motherboard.activate(ReaderSignIn.id)
        let form = try form()
        await waitUntil { form.problem != nil }
        #expect(form.problem == "The library cannot be reached. Try again.")
        #expect(!form.needsSignIn)

        form.resume()
        await waitUntil { screens == ["books"] }
        #expect(!motherboard.isLive(ReaderSignIn.id))
    }

    @Test func `a reader whose saved tokens cannot be read signs in again`() async throws {
        struct DamagedVault: TokenVault {
            private let vault = MemoryTokenVault()

            func load() async throws -> NetworkTokens? { throw URLError(.cannotDecodeContentData) }
            func save(_ tokens: NetworkTokens) async throws { await vault.save(tokens) }
            func clear() async throws { await vault.clear() }
        }
        api.respond(to: .post, "login", with: .json(#"{"access_token":"a","refresh_token":"r"}"#))
        _ = try install(with: DamagedVault())
        motherboard.activate(ReaderSignIn.id)
        let form = try form()
        await waitUntil { form.problem != nil }
        #expect(!form.needsSignIn)

        form.needsSignIn = true
        form.signIn()
        await waitUntil { screens == ["books"] }
    }

    @Test func `the form shows the reason of the server, and stays`() async throws {
        api.respond(to: .post, "login", with: .json(#"{"detail":"The password is wrong."}"#, status: .unauthorized))
        _ = try install(with: MemoryTokenVault())
        motherboard.activate(ReaderSignIn.id)
        let form = try form()
        await waitUntil { form.needsSignIn }
        form.signIn()
        await waitUntil { form.problem != nil }
        #expect(form.problem == "The password is wrong.")
        #expect(screens == ["sign-in"])
    }
}
