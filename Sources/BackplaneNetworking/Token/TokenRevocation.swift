/// The request that revokes the tokens of a user who has signed out.
package struct TokenRevocation: Sendable {
    let send: @Sendable (NetworkRequestPerformer, NetworkTokens, _ isRefused: Bool) async throws -> Void

    /// Creates the revocation of tokens that the request itself contains (RFC 7009).
    package init(_ endpoint: @escaping @Sendable (NetworkTokens) -> NonAuthenticatedEndpoint<Void>) {
        send = { performer, tokens, _ in try await performer.perform(endpoint(tokens), for: PublicScope()) }
    }

    /// Creates the revocation by a request that carries the access token of the ended session.
    package init(_ endpoint: AuthenticatedEndpoint<Void>) {
        var endpoint = endpoint
        // The response to another user's request would revoke nothing.
        endpoint.handling.cacheUse = nil
        send = { [endpoint] performer, tokens, isRefused in
            try await performer.perform(endpoint, for: RevocationScope(access: isRefused ? nil : tokens.access))
        }
    }
}
