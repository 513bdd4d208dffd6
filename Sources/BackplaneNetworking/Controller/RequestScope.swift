/// On whose behalf a request is made: everybody's, or one user's.
///
/// It attaches credentials and knows whether there is still somebody to give the answer to.
protocol RequestScope: Sendable {
    /// Whose answers may be given to this request, and who may be given its own.
    var partition: ResponseCache.Partition { get }

    /// Throws unless whoever asked is still to be answered.
    func check() throws

    /// Throws unless the request may leave now; called right before the transport is.
    func checkDeparture() throws

    /// Sends a request with the credential it needs, and once more with another if that one is refused.
    func authorize(
        _ send: (AccessToken?) async throws -> NetworkResponse,
        isRefused: (NetworkResponse) -> Bool
    ) async throws -> NetworkResponse
}

extension RequestScope {
    func checkDeparture() throws { try check() }
}

/// Nobody in particular: no credential, and nobody who could leave.
struct PublicScope: RequestScope {
    let partition = ResponseCache.Partition.everybody

    func check() {}

    func authorize(
        _ send: (AccessToken?) async throws -> NetworkResponse,
        isRefused: (NetworkResponse) -> Bool
    ) async throws -> NetworkResponse {
        try await send(nil)
    }
}

/// The user who was signed in when the request was made.
struct UserScope: RequestScope {
    let session: TokenSession
    let request: UserRequest
    let partition: ResponseCache.Partition

    func check() throws {
        try session.check(request)
    }

    func authorize(
        _ send: (AccessToken?) async throws -> NetworkResponse,
        isRefused: (NetworkResponse) -> Bool
    ) async throws -> NetworkResponse {
        try await session.authorize(request, send: send, isRefused: isRefused)
    }
}

/// A session that refreshes its tokens.
///
/// Its answer is read even if the session has ended meanwhile: new tokens that nobody needs are to be revoked.
struct RefreshScope: RequestScope {
    let session: TokenSession
    let refresh: TokenRefresh
    let partition = ResponseCache.Partition.everybody

    func check() {}

    func checkDeparture() throws {
        try session.check(refresh)
    }

    func authorize(
        _ send: (AccessToken?) async throws -> NetworkResponse,
        isRefused: (NetworkResponse) -> Bool
    ) async throws -> NetworkResponse {
        try await send(nil)
    }
}
