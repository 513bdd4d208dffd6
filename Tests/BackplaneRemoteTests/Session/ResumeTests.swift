import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import HTTPTypes
import TestSupport
import Testing

// On the main actor, so that tasks begin in the order in which they are made.
@MainActor @Suite(.timeLimit(.minutes(5)), .rule("R7"))
struct ResumeTests {
    private let server = SessionServer()

    @Test func `without tokens in the vault no user is signed in`() async throws {
        let session = try server.session()
        #expect(session.summary == "unknown")
        #expect(try await session.resume() == nil)
        #expect(session.summary == "signed out")
        #expect(server.api.requests.isEmpty)
    }

    @Test func `the user of the tokens in the vault is signed in`() async throws {
        let session = try server.session(vault: MemoryTokenVault(.session("ada")))
        let account = try #require(try await session.resume())
        #expect(account.user == SessionMember(id: "ada", name: "Ada"))
        #expect(account.ending == nil)
        #expect(session.account === account)
        #expect(try await session.resume() === account)
        #expect(server.bearers(of: "me") == ["ada-1"])
    }

    @Test func `tokens that the server refuses have expired, and leave the vault`() async throws {
        let vault = MemoryTokenVault(.session("ada"))
        let session = try server.session(vault: vault)
        server.state.update { state in
            state.refused = ["ada-1"]
            state.refusesRefreshes = true
        }
        #expect(try await session.resume() == nil)
        #expect(session.summary == "signed out: expired")
        #expect(server.events.value == [.sessionExpired])
        #expect(await vault.load() == nil)
    }

    @Test func `tokens that are refused even after a refresh have expired`() async throws {
        let vault = MemoryTokenVault(.session("ada"))
        let session = try server.session(vault: vault)
        server.state.update { $0.refused = ["ada-1", "ada-2"] }
        #expect(try await session.resume() == nil)
        #expect(session.summary == "signed out: expired")
        #expect(await vault.load() == nil)
    }

    @Test func `after a temporary failure the tokens stay, and the next call succeeds`() async throws {
        let vault = MemoryTokenVault(.session("ada"))
        let session = try server.session(vault: vault)
        server.state.update { $0.failures = ["ada-1": .serviceUnavailable] }
        #expect(await networkCode { try await session.resume() } == .serverFailed)
        #expect(session.summary == "unknown")
        #expect(await vault.load() == .session("ada"))
        server.state.update { $0.failures = [:] }
        #expect(try await session.resume()?.user.id == "ada")
    }

    @Test func `a vault that fails is reported, and the next call reads it again`() async throws {
        let vault = SessionVault(.session("ada"), fails: true)
        let session = try server.session(vault: vault)
        await #expect(throws: SessionVault.Failure.self) { try await session.resume() }
        #expect(session.summary == "unknown")
        #expect(server.events.value == [.vaultFailed])
        vault.fails.update { $0 = false }
        #expect(try await session.resume()?.user.id == "ada")
    }

    @Test func `concurrent calls share one attempt`() async throws {
        let latch = AsyncLatch()
        let session = try server.session(vault: MemoryTokenVault(.session("ada")))
        server.state.update { $0.loadLatches = ["ada-1": latch] }
        let callers = (1...3).map { _ in Task { try await session.resume() } }
        await latch.arrivals(atLeast: 1)
        latch.open()
        let account = try #require(try await callers[0].value)
        for caller in callers { #expect(try await caller.value === account) }
        #expect(server.bearers(of: "me") == ["ada-1"])
    }

    @Test func `a cancelled caller continues at once, and the attempt continues for the others`() async throws {
        let latch = AsyncLatch()
        let session = try server.session(vault: MemoryTokenVault(.session("ada")))
        server.state.update { $0.loadLatches = ["ada-1": latch] }
        let first = Task { try await session.resume() }
        let second = Task { try await session.resume() }
        await latch.arrivals(atLeast: 1)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(session.summary == "unknown")
        latch.open()
        #expect(try await second.value?.user.id == "ada")
        #expect(server.bearers(of: "me") == ["ada-1"])
    }

    @Test func `a sign-out during an attempt ends it`() async throws {
        let vault = MemoryTokenVault(.session("ada"))
        let session = try server.session(vault: vault)
        // The latch stays closed: the attempt does not wait for the server.
        server.state.update { $0.loadLatches = ["ada-1": AsyncLatch()] }
        let resuming = Task { await networkCode { try await session.resume() } }
        await server.api.requests(atLeast: 1)
        try await session.signOut()
        #expect(await resuming.value == .signedOut)
        #expect(session.summary == "signed out: signedOut")
        #expect(await vault.load() == nil)
        #expect(server.revoked == ["ada-r1"])
    }

    @Test func `a sign-out while the vault is read ends the attempt, and its tokens are revoked`() async throws {
        let latch = AsyncLatch()
        let vault = SessionVault(.session("ada"), loadLatch: latch)
        let session = try server.session(vault: vault)
        let resuming = Task { await networkCode { try await session.resume() } }
        await latch.arrivals(atLeast: 1)
        let leaving = Task { try await session.signOut() }
        await latch.arrivals(atLeast: 2)
        #expect(session.summary == "signed out: signedOut")
        latch.open()
        try await leaving.value
        #expect(await resuming.value == .signedOut)
        #expect(vault.tokens.value == nil)
        #expect(server.revoked == ["ada-r1"])
        #expect(server.bearers(of: "me").isEmpty)
    }

    @Test(.rule("N20")) func `a sign-in ends an attempt, which returns the user of the sign-in`() async throws {
        let vault = MemoryTokenVault(.session("ada"))
        let session = try server.session(vault: vault)
        server.state.update { $0.loadLatches = ["ada-1": AsyncLatch()] }
        let resuming = Task { try await session.resume() }
        await server.api.requests(atLeast: 1)
        let account = try await session.signIn(with: .session("bea"))
        #expect(try await resuming.value === account)
        #expect(session.account === account)
        #expect(await vault.load() == .session("bea"))
        await server.revocation(of: "ada-r1")
    }

    @Test(.rule("N20"), arguments: [false, true])
    func `a call during another user's sign-in waits for it and returns that user`(isKnown: Bool) async throws {
        let latch = AsyncLatch()
        let session = try server.session(vault: MemoryTokenVault(isKnown ? nil : .session("ada")))
        if isKnown { #expect(try await session.resume() == nil) }
        server.state.update { $0.loadLatches = ["bea-1": latch] }
        let login = Task { try await session.signIn(with: .session("bea")) }
        await latch.arrivals(atLeast: 1)
        let resuming = Task { try await session.resume() }
        await Task.yield()
        latch.open()
        let account = try await login.value
        #expect(try await resuming.value === account)
        #expect(server.bearers(of: "me") == ["bea-1"])
    }

    @Test(.rule("N20")) func `a call waits for a sign-in that replaces the previous user`() async throws {
        let latch = AsyncLatch()
        let session = try server.session(vault: SessionVault(.session("ada"), loadLatch: latch))
        let login = Task { try await session.signIn(with: .session("bea")) }
        // The session reads the vault, to revoke the tokens in it.
        await latch.arrivals(atLeast: 1)
        #expect(session.summary == "signed out")
        let resuming = Task { try await session.resume() }
        await Task.yield()
        latch.open()
        let account = try await login.value
        #expect(try await resuming.value === account)
    }

    @Test(.rule("N20")) func `if a sign-in fails, a call that waits for it restores the user of the vault`()
        async throws
    {
        let latch = AsyncLatch()
        let session = try server.session(vault: MemoryTokenVault(.session("ada")))
        server.state.update { state in
            state.loadLatches = ["bea-1": latch]
            state.failures = ["bea-1": .serviceUnavailable]
        }
        let login = Task { await networkCode { try await session.signIn(with: .session("bea")) } }
        await latch.arrivals(atLeast: 1)
        let resuming = Task { try await session.resume() }
        await Task.yield()
        latch.open()
        #expect(await login.value == .serverFailed)
        #expect(try await resuming.value?.user.id == "ada")
        #expect(server.bearers(of: "me") == ["bea-1", "ada-1"])
    }

    @Test(.rule("N20")) func `a sign-out ends the wait for a sign-in, without a user`() async throws {
        let session = try server.session()
        server.state.update { $0.loadLatches = ["bea-1": AsyncLatch()] }
        let login = Task { await networkCode { try await session.signIn(with: .session("bea")) } }
        await server.api.requests(atLeast: 1)
        let (resuming, cancelled) = (Task { try await session.resume() }, Task { try await session.resume() })
        await Task.yield()
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        try await session.signOut()
        #expect(try await resuming.value == nil)
        #expect(await login.value == .signedOut)
    }
}
