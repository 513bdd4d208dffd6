import BackplaneNetworking
import BackplaneTesting
import Foundation
import Testing

/// A custom vault that implements only the required methods, without a lock.
private actor NotebookVault: TokenVault {
    private var tokens: NetworkTokens?

    func load() async throws -> NetworkTokens? { tokens }
    func save(_ tokens: NetworkTokens) async throws { self.tokens = tokens }
    func clear() async throws { tokens = nil }
}

struct VaultCallers {
    @Test func `replaced tokens are saved, and the refresh token stays`() async throws {
        let api = NetworkStub()
        let service = try NonAuthenticatedNetworkController(baseURL: api.baseURL, transport: api)
        let vault = NotebookVault()
        let first = NetworkTokens(access: AccessToken(rawValue: "a"), refresh: RefreshToken(rawValue: "r"))
        let account = AuthenticatedNetworkController(over: service, tokens: first, vault: vault) { token in
            NonAuthenticatedEndpoint<NetworkTokens>(.post("token", body: .json(["refresh_token": token])))
        }
        try await account.replaceTokens(with: NetworkTokens(access: AccessToken(rawValue: "b")))
        #expect(try await vault.load()?.access.rawValue == "b")
        #expect(try await vault.load()?.refresh?.rawValue == "r")
        try await vault.withLock {}
    }

    @Test func `a file vault stores tokens`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
        defer { for path in [file.path, file.path + ".lock"] { try? FileManager.default.removeItem(atPath: path) } }
        let vault = FileTokenVault(file: file)
        try await vault.save(NetworkTokens(access: AccessToken(rawValue: "a")))
        #expect(try await FileTokenVault(file: file, lockTimeout: .seconds(5)).load()?.access.rawValue == "a")
        try await vault.withLock {}
        try await vault.clear()
        #expect(try await vault.load() == nil)
    }
}
