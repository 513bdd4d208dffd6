import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import HTTPTypes
import TestSupport
import Testing

/// Sessions that end on the server by a request with the access token of the user who has left.
@MainActor @Suite(.timeLimit(.minutes(5)), .rule("R7", "N36"))
struct LogoutTests {
    private let server = SessionServer()
    private let vault = MemoryTokenVault()

    @Test func `a sign-out carries the user's token, and so does the end of a user who is replaced`() async throws {
        let session = try server.sessionWithLogout(vault: vault)
        try await session.signIn(with: .session("ada"))
        let bea = try await session.signIn(with: .session("bea"))
        while server.bearers(of: "logout").isEmpty { await Task.yield() }
        #expect(server.bearers(of: "logout") == ["ada-1"])
        #expect(session.account === bea)
        try await session.signOut()
        #expect(server.bearers(of: "logout") == ["ada-1", "bea-1"])
        #expect(session.account == nil)
        #expect(await vault.load() == nil)
        #expect(server.events.value.isEmpty)
    }

    @Test func `a sign-in that fails ends its own session only`() async throws {
        server.state.update { $0.failures = ["bea-1": .serviceUnavailable] }
        let session = try server.sessionWithLogout(vault: vault)
        let ada = try await session.signIn(with: .session("ada"))
        #expect(await networkCode { try await session.signIn(with: .session("bea")) } == .serverFailed)
        while server.bearers(of: "logout").isEmpty { await Task.yield() }
        #expect(server.bearers(of: "logout") == ["bea-1"])
        #expect(session.account === ada)
        try await ada.sync()
    }

    @Test func `a sign-out ends the session of an earlier run of the app`() async throws {
        await vault.save(.session("ada"))
        try await server.sessionWithLogout(vault: vault).signOut()
        #expect(server.bearers(of: "logout") == ["ada-1"])
        #expect(await vault.load() == nil)
    }
}
