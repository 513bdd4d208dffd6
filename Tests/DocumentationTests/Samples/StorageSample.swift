import BackplaneNetworking
import BackplaneStorage
import Foundation

func restoredAccount(
    in directory: URL,
    over service: NonAuthenticatedNetworkController,
    refresh: @escaping @Sendable (RefreshToken) -> NonAuthenticatedEndpoint<NetworkTokens>
) async throws -> AuthenticatedNetworkController? {
    let vault = try SQLiteTokenVault(file: directory.appending(path: "tokens.sqlite"), account: "main")
    guard let tokens = try await vault.load() else { return nil }
    return AuthenticatedNetworkController(over: service, tokens: tokens, vault: vault, refresh: refresh)
}
