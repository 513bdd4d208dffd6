import BackplaneConcurrency
import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import HTTPTypes
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)), .rule("R7"))
struct AccountEndTests {
    private let server = SessionServer()
    private let vault = MemoryTokenVault()

    @Test func `an expiry ends the account before the request fails`() async throws {
        let session = try server.session(vault: vault)
        let account = try await session.signIn(with: .session("ada"))
        let end = Task { await account.ended() }
        await server.expire(account, token: "ada-1")
        #expect(session.summary == "signed out: expired")
        #expect(session.account == nil)
        #expect(account.ending == .expired)
        #expect(account.user.id == "ada")
        #expect(await end.value == .expired)
        #expect(server.events.value == [.sessionExpired])
        #expect(await networkCode { try await account.sync() } == .sessionExpired)
    }

    @Test func `after an expiry the same user continues the same account`() async throws {
        let session = try server.session(vault: vault)
        let account = try await session.signIn(with: .session("ada"))
        await server.expire(account, token: "ada-1")
        server.state.update { $0.names = ["ada": "Ada L."] }
        #expect(try await session.signIn(with: .session("ada", 5)) === account)
        #expect(session.account === account)
        #expect(account.ending == nil)
        #expect(account.user.name == "Ada L.")
        #expect(await vault.load() == .session("ada", 5))
        try await account.sync()
        #expect(server.bearers(of: "me").last == "ada-5")
        // The account can end again.
        let end = Task { await account.ended() }
        try await session.signOut()
        #expect(await end.value == .signedOut)
        #expect(server.revoked == ["ada-r5"])
    }

    @Test func `after an expiry another user replaces the account`() async throws {
        let session = try server.session(vault: vault)
        let ada = try await session.signIn(with: .session("ada"))
        await server.expire(ada, token: "ada-1")
        let bea = try await session.signIn(with: .session("bea"))
        #expect(ada.ending == .replaced)
        #expect(session.account === bea)
        #expect(await vault.load() == .session("bea"))
        #expect(await networkCode { try await ada.sync() } == .sessionExpired)
    }

    @Test func `a sign-out after an expiry ends the account for good`() async throws {
        let session = try server.session(vault: vault)
        let account = try await session.signIn(with: .session("ada"))
        await server.expire(account, token: "ada-1")
        try await session.signOut()
        #expect(account.ending == .signedOut)
        #expect(session.summary == "signed out: signedOut")
        #expect(try await session.signIn(with: .session("ada", 5)) !== account)
        #expect(account.ending == .signedOut)
    }

    @Test func `a sign-out takes effect before it waits for the server`() async throws {
        let latch = AsyncLatch()
        let session = try server.session(vault: vault)
        let account = try await session.signIn(with: .session("ada"))
        server.state.update { $0.revocationLatch = latch }
        let leaving = Task { try await session.signOut() }
        await latch.arrivals(atLeast: 1)
        #expect(session.summary == "signed out: signedOut")
        #expect(account.ending == .signedOut)
        #expect(await networkCode { try await account.sync() } == .signedOut)
        latch.open()
        try await leaving.value
        #expect(await vault.load() == nil)
        #expect(server.revoked == ["ada-r1"])
    }

    @Test func `a sign-out completes in a cancelled task`() async throws {
        let session = try server.session(vault: vault)
        try await session.signIn(with: .session("ada"))
        let leaving = Task { try await session.signOut() }
        leaving.cancel()
        try await leaving.value
        #expect(session.account == nil)
        #expect(await vault.load() == nil)
        #expect(server.revoked == ["ada-r1"])
    }

    @Test func `a sign-out clears and revokes the tokens of an earlier run, in a cancelled task, too`() async throws {
        await vault.save(.session("ada"))
        let session = try server.session(vault: vault)
        let leaving = Task { try await session.signOut() }
        leaving.cancel()
        try await leaving.value
        #expect(session.summary == "signed out: signedOut")
        #expect(await vault.load() == nil)
        #expect(server.revoked == ["ada-r1"])
        #expect(try await session.resume() == nil)
    }

    @Test func `a sign-out after a failed attempt uses the tokens of the attempt`() async throws {
        await vault.save(.session("ada"))
        let session = try server.session(vault: vault)
        server.state.update { $0.failures = ["ada-1": .serviceUnavailable] }
        _ = try? await session.resume()
        try await session.signOut()
        #expect(await vault.load() == nil)
        #expect(server.revoked == ["ada-r1"])
    }

    @Test func `if the vault fails, a sign-out completes and throws`() async throws {
        let vault = SessionVault()
        let session = try server.session(vault: vault)
        try await session.signIn(with: .session("ada"))
        vault.fails.update { $0 = true }
        await #expect(throws: SessionVault.Failure.self) { try await session.signOut() }
        #expect(session.account == nil)
        #expect(server.revoked == ["ada-r1"])
        #expect(server.events.value.contains(.vaultFailed))
    }

    @Test func `a cancelled caller stops waiting for the end`() async throws {
        let session = try server.session(vault: vault)
        let account = try await session.signIn(with: .session("ada"))
        let waiting = Task { await account.ended() }
        waiting.cancel()
        #expect(await waiting.value == nil)
        #expect(account.ending == nil)
    }

    @Test func `a sync that fails leaves the user unchanged`() async throws {
        let session = try server.session(vault: vault)
        let account = try await session.signIn(with: .session("ada"))
        server.state.update { $0.failures = ["ada-1": .serviceUnavailable] }
        #expect(await networkCode { try await account.sync() } == .serverFailed)
        #expect(account.user.name == "Ada")
        server.state.update { state in
            state.failures = [:]
            state.names = ["ada": "Ada L."]
        }
        #expect(try await account.sync().name == "Ada L.")
        #expect(account.user.name == "Ada L.")
    }

    @Test func `observers see the user, and never a part of a change`() async throws {
        let session = try server.session(vault: vault)
        let seen = Locked<[String]>([])
        let login = Task { try await session.signIn(with: .session("ada")) }
        await waitUntil {
            // An account that the session shows has not ended.
            if let account = session.account, account.ending != nil { seen.withLock { $0.append("half") } }
            return session.account != nil
        }
        let account = try await login.value
        server.state.update { $0.names = ["ada": "Ada L."] }
        let sync = Task { try await account.sync() }
        await waitUntil { account.user.name == "Ada L." }
        _ = try await sync.value
        let leaving = Task { try await session.signOut() }
        await waitUntil { session.account == nil }
        #expect(account.ending == .signedOut)
        try await leaving.value
        #expect(seen.withLock { $0 }.isEmpty)
    }
}
