import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import HTTPTypes
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)), .rule("R7"))
struct SignInTests {
    private let server = SessionServer()
    private let vault = MemoryTokenVault()

    @Test func `a sign-in loads the user and saves the tokens`() async throws {
        let session = try server.session(vault: vault)
        let account = try await session.signIn(with: .session("ada"))
        #expect(account.user == SessionMember(id: "ada", name: "Ada"))
        #expect(session.account === account)
        #expect(session.summary == "signed in: ada")
        #expect(await vault.load() == .session("ada"))
        #expect(server.events.value.isEmpty)
    }

    @Test func `tokens that were refreshed while the user was loaded are the ones in use`() async throws {
        server.state.update { $0.refused = ["ada-1"] }
        let session = try server.session(vault: vault)
        let account = try await session.signIn(with: .session("ada"))
        #expect(await vault.load()?.access.rawValue == "ada-2")
        try await account.sync()
        #expect(server.bearers(of: "me") == ["ada-1", "ada-2", "ada-2"])
    }

    @Test func `if the user cannot be loaded, no one is signed in and the tokens are revoked`() async throws {
        server.state.update { $0.failures = ["ada-1": .serviceUnavailable] }
        let session = try server.session(vault: vault)
        #expect(await networkCode { try await session.signIn(with: .session("ada")) } == .serverFailed)
        #expect(session.account == nil)
        #expect(await vault.load() == nil)
        await server.revocation(of: "ada-r1")
    }

    @Test func `if the tokens of a sign-in are refused, the user who is signed in does not expire`() async throws {
        let session = try server.session(vault: vault)
        let account = try await session.signIn(with: .session("ada"))
        server.state.update { state in
            state.refused = ["bea-1"]
            state.refusesRefreshes = true
        }
        #expect(await networkCode { try await session.signIn(with: .session("bea")) } == .sessionExpired)
        #expect(session.account === account)
        #expect(account.controller.isSignedIn)
        #expect(await vault.load() == .session("ada"))
        #expect(server.events.value.isEmpty)
    }

    @Test func `another user replaces the user who is signed in`() async throws {
        let session = try server.session(vault: vault)
        let ada = try await session.signIn(with: .session("ada"))
        let bea = try await session.signIn(with: .session("bea"))
        #expect(ada.ending == .replaced)
        #expect(ada.user.id == "ada")
        #expect(await networkCode { try await ada.sync() } == .signedOut)
        #expect(session.account === bea)
        #expect(await vault.load() == .session("bea"))
        await server.revocation(of: "ada-r1")
    }

    @Test func `the same user keeps the account at another sign-in`() async throws {
        let session = try server.session(vault: vault)
        let account = try await session.signIn(with: .session("ada"))
        server.state.update { $0.names = ["ada": "Ada L."] }
        #expect(try await session.signIn(with: .session("ada", 5)) === account)
        #expect(account.ending == nil)
        #expect(account.user.name == "Ada L.")
        #expect(await vault.load() == .session("ada", 5))
        try await account.sync()
        #expect(server.bearers(of: "me").last == "ada-5")
        await server.revocation(of: "ada-r1")
    }

    @Test(arguments: [false, true])
    func `of two sign-ins at the same time, the last call counts`(isFirstAnswered: Bool) async throws {
        let (first, second) = (AsyncLatch(), AsyncLatch())
        server.state.update { $0.loadLatches = ["ada-1": first, "bea-1": second] }
        let session = try server.session(vault: vault)
        let ada = Task { await networkCode { try await session.signIn(with: .session("ada")) } }
        await server.api.requests(atLeast: 1)
        if isFirstAnswered { first.open() }
        let bea = Task { try await session.signIn(with: .session("bea")) }
        await second.arrivals(atLeast: 1)
        second.open()
        let account = try await bea.value
        #expect(session.account === account)
        // If the answer came first, the first sign-in may have succeeded before the second call.
        if !isFirstAnswered {
            #expect(await ada.value == .signedOut)
        } else {
            _ = await ada.value
        }
        #expect(session.account === account)
        #expect(await vault.load() == .session("bea"))
        await server.revocation(of: "ada-r1")
    }

    @Test func `a sign-out during a sign-in cancels the sign-in`() async throws {
        server.state.update { $0.loadLatches = ["ada-1": AsyncLatch()] }
        let session = try server.session(vault: vault)
        let login = Task { await networkCode { try await session.signIn(with: .session("ada")) } }
        await server.api.requests(atLeast: 1)
        try await session.signOut()
        #expect(await login.value == .signedOut)
        #expect(session.account == nil)
        #expect(await vault.load() == nil)
        await server.revocation(of: "ada-r1")
    }

    @Test func `a cancelled sign-in creates no account and revokes its tokens`() async throws {
        server.state.update { $0.loadLatches = ["ada-1": AsyncLatch()] }
        let session = try server.session(vault: vault)
        let login = Task { try await session.signIn(with: .session("ada")) }
        await server.api.requests(atLeast: 1)
        login.cancel()
        await #expect(throws: CancellationError.self) { try await login.value }
        #expect(session.account == nil)
        #expect(await vault.load() == nil)
        await server.revocation(of: "ada-r1")
    }

    @Test func `a late refresh of the old session does not overwrite the new tokens`() async throws {
        let latch = AsyncLatch()
        let session = try server.session(vault: vault)
        let ada = try await session.signIn(with: .session("ada"))
        server.state.update { state in
            state.refused = ["ada-1"]
            state.refreshLatch = latch
        }
        let request = Task { await networkCode { try await ada.sync() } }
        await latch.arrivals(atLeast: 1)
        try await session.signIn(with: .session("bea"))
        #expect(await request.value == .signedOut)
        latch.open()
        // The session revokes the tokens of the late refresh, too.
        await server.revocation(of: "ada-r2")
        #expect(await vault.load() == .session("bea"))
        #expect(session.summary == "signed in: bea")
    }

    @Test func `tokens of an earlier run are revoked before the new ones are saved`() async throws {
        await vault.save(.session("ada"))
        let session = try server.session(vault: vault)
        try await session.signIn(with: .session("bea"))
        #expect(await vault.load() == .session("bea"))
        await server.revocation(of: "ada-r1")
    }

    @Test func `a vault that fails does not prevent a sign-in, and is reported`() async throws {
        let session = try server.session(vault: SessionVault(fails: true))
        let account = try await session.signIn(with: .session("ada"))
        #expect(session.account === account)
        #expect(Set(server.events.value) == [.vaultFailed])
        try await account.sync()
    }

    @Test func `releasing the session ends nothing on the server`() async throws {
        let account: UserAccount<SessionMember>
        weak var released: UserSession<SessionMember>?
        do {
            let session = try server.session(vault: vault)
            released = session
            account = try await session.signIn(with: .session("ada"))
        }
        while released != nil { await Task.yield() }
        try await account.sync()
        #expect(await vault.load() == .session("ada"))
        #expect(server.revoked.isEmpty)
    }
}
