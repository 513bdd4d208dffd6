import BackplaneNetworking
import Foundation

/// The session of the app while a user is signed in.
actor SignedInMember {
    let controller: AuthenticatedNetworkController
    private let onEnd: @Sendable () async -> Void

    /// Returns the member of the last session, or `nil` if the vault has no tokens.
    static func resumed(
        over service: NonAuthenticatedNetworkController,
        vault: any TokenVault,
        onEnd: @escaping @Sendable () async -> Void
    ) async throws -> SignedInMember? {
        guard let tokens = try await vault.load() else { return nil }
        return SignedInMember(over: service, tokens: tokens, vault: vault, onEnd: onEnd)
    }

    /// Signs in a member and saves the tokens.
    static func begun(
        over service: NonAuthenticatedNetworkController,
        name: String,
        password: String,
        vault: any TokenVault,
        onEnd: @escaping @Sendable () async -> Void
    ) async throws -> SignedInMember {
        let tokens = try await service.request(.login(name: name, password: password))
        try await vault.save(tokens)
        return SignedInMember(over: service, tokens: tokens, vault: vault, onEnd: onEnd)
    }

    private init(
        over service: NonAuthenticatedNetworkController,
        tokens: NetworkTokens,
        vault: any TokenVault,
        onEnd: @escaping @Sendable () async -> Void
    ) {
        self.onEnd = onEnd
        controller = AuthenticatedNetworkController(over: service, tokens: tokens, vault: vault) { event in
            if event.code == .sessionExpired { Task { await onEnd() } }
        } refresh: { token in
            .refresh(token)
        }
    }

    func signOut() async throws {
        defer { Task { await onEnd() } }
        try await controller.signOut(revokingWith: { .revocation(of: $0) })
    }
}

extension NonAuthenticatedEndpoint<Void> {
    static func revocation(of tokens: NetworkTokens) -> Self {
        Self(.post("token/revoke", body: .json(["token": tokens.refresh])))
    }
}
