/// The scope of a request: public, one user, or the refresh of a session.
///
/// A scope supplies credentials and decides whether a response may still be delivered.
protocol RequestScope: Sendable {
    /// The cache partition that the request reads from and writes to.
    var partition: CachePartition { get }

    /// Throws if the response must be discarded, because its user has signed out.
    func check() throws

    /// Calls `end` when the user of the request has left, until the returned closure is called.
    func follow(_ end: @escaping @Sendable (any Error) -> Void) throws -> @Sendable () -> Void

    /// Throws if the request must not leave now; called directly before the transport.
    func checkDeparture() throws

    /// Sends a request with its credential, and once more with a new one if the server refuses the
    /// first.
    func authorize(
        _ send: (AccessToken?) async throws -> NetworkResponse,
        isRefused: (NetworkResponse) -> Bool
    ) async throws -> NetworkResponse
}

// The defaults are for requests without a user.
extension RequestScope {
    func check() throws {}

    func follow(_ end: @escaping @Sendable (any Error) -> Void) throws -> @Sendable () -> Void { {} }

    func checkDeparture() throws { try check() }

    func authorize(
        _ send: (AccessToken?) async throws -> NetworkResponse,
        isRefused: (NetworkResponse) -> Bool
    ) async throws -> NetworkResponse {
        try await send(nil)
    }
}

/// The scope of a public request: it has no credential and never ends.
struct PublicScope: RequestScope {
    let partition = CachePartition.everybody
}

/// The scope of a request that belongs to the user who is signed in when the request is made.
struct UserScope: RequestScope {
    let session: TokenSession
    let request: UserRequest
    let partition: CachePartition

    func check() throws {
        try session.check(request)
    }

    func follow(_ end: @escaping @Sendable (any Error) -> Void) throws -> @Sendable () -> Void {
        try session.follow(request, end)
    }

    func authorize(
        _ send: (AccessToken?) async throws -> NetworkResponse,
        isRefused: (NetworkResponse) -> Bool
    ) async throws -> NetworkResponse {
        try await session.authorize(request, send: send, isRefused: isRefused)
    }
}

/// The scope of a token refresh.
///
/// The response is decoded even if the session has ended meanwhile, because unused new tokens must
/// be revoked.
struct RefreshScope: RequestScope {
    let session: TokenSession
    let refresh: TokenRefresh
    let partition = CachePartition.everybody

    func checkDeparture() throws {
        try session.check(refresh)
    }
}

/// The scope of the request that revokes the tokens of a user who has signed out (N36).
///
/// It has the access token as a value. So it belongs to no session: it causes no refresh, and the
/// next user neither ends it nor gives it a token.
struct RevocationScope: RequestScope {
    let partition = CachePartition.everybody
    /// The access token, or `nil` if the server has refused it.
    let access: AccessToken?

    func authorize(
        _ send: (AccessToken?) async throws -> NetworkResponse,
        isRefused: (NetworkResponse) -> Bool
    ) async throws -> NetworkResponse {
        guard let access else { throw NetworkError.tokenRefused }
        let response = try await send(access)
        // The server has not carried out a request whose token it refuses.
        _ = isRefused(response)
        return response
    }
}
