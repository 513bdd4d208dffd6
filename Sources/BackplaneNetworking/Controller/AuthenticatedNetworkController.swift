internal import Foundation

/// A controller that performs requests for a signed-in user and keeps their tokens fresh.
///
/// Create it when there are tokens: after a login, or with the tokens that a ``TokenVault`` loads.
/// It accepts only an ``AuthenticatedEndpoint``. All copies share one session.
///
/// ```swift
/// let tokens = try await LoginPerformer(networking: service).login(using: credentials)
/// let account = AuthenticatedNetworkController(over: service, tokens: tokens) { .refresh($0) }
/// let user = try await account.request(.user(id))
/// ```
///
/// The controller gives these guarantees for any number of concurrent tasks and threads:
/// - The session refreshes its tokens when the access token is about to expire or the server
///   refuses it. An access token is about to expire 30 seconds before its end, or a tenth of its
///   lifetime before its end if that is shorter.
/// - At most one refresh runs at a time. New requests wait for it, so no request leaves with a
///   token that is known to be invalid.
/// - A request with a 401 response is sent once more with a new token. A second 401 response throws
///   ``NetworkError/Code/unauthorized``.
/// - The refresh belongs to the session. It continues even if all requests that wait for it are
///   cancelled, because the server may already have replaced the tokens.
/// - A refresh that fails temporarily does not end the session. A later request repeats the
///   refresh, after a pause of half a second to a minute. Until then, requests use the old token as
///   long as it is valid. If it is no longer valid, they fail at once with
///   ``NetworkError/Code/refreshUnavailable``.
/// - A process that ends during a refresh does not lose the session either. The vault keeps a note
///   that the refresh began. At the next launch, the new controller repeats the refresh at once
///   with the same refresh token.
/// - Processes that share a vault perform one refresh together, if the vault has a lock like
///   ``FileTokenVault``. A sign-out in one process ends the session in the others at their next
///   refresh.
/// - `signOut(revokingWith:)` takes effect at once. All pending requests of the user fail at once
///   with ``NetworkError/Code/signedOut``. A request that was already sent is cancelled, and may
///   have reached the server. A late refresh does not change the session.
public struct AuthenticatedNetworkController: Sendable {
    private let service: NonAuthenticatedNetworkController
    private let session: TokenSession
    /// The ID that separates this session's cached responses from the responses of other sessions.
    private let sessionID: UUID
    private let account: String?

    /// Creates a controller for the user of `tokens`.
    ///
    /// - Parameters:
    ///   - service: The non-authenticated controller for the same server. This controller uses its
    ///     base URL, transport and options, and sends refreshes through it.
    ///   - tokens: The tokens from a login or from the vault. This initializer does not save them
    ///     in `vault`. To save tokens, use ``signIn(with:)``. Tokens that were loaded from a vault
    ///     are refreshed only if `vault` still has them, because another process may have signed
    ///     out.
    ///   - account: The name of the user of `tokens`, the same at the next launch. With a name, the
    ///     user's cached responses can outlive the process, if ``NetworkOptions/cache`` does. They
    ///     belong to this user only, until the sign-out. A user who signs in later has none.
    ///   - vault: The vault for refreshed tokens. They are saved before any request uses them.
    ///   - onEvent: A closure that receives the events that do not belong to one request. It is
    ///     called on any thread. ``NetworkError/Code/sessionExpired``: the user must sign in again.
    ///     The server no longer accepts the tokens (see `cause`), or another process that shares
    ///     the vault has signed out. This event arrives once, before the waiting requests fail, and
    ///     never after a sign-out. ``NetworkError/Code/vaultFailed``: the session continues in
    ///     memory. ``NetworkError/Code/revocationFailed``: a refresh ended after the sign-out, and
    ///     its new tokens were not revoked.
    ///   - refresh: The endpoint that exchanges a refresh token for new tokens. A 400 or 401
    ///     response from it ends the session, unless the response says that the app made a mistake
    ///     (RFC 6749 section 5.2: `invalid_client` and similar errors). Every other failure is
    ///     temporary.
    public init(
        over service: NonAuthenticatedNetworkController,
        tokens: NetworkTokens,
        account: String? = nil,
        vault: any TokenVault = MemoryTokenVault(),
        onEvent: @escaping @Sendable (NetworkError) -> Void = { _ in },
        refresh: @escaping @Sendable (RefreshToken) -> NonAuthenticatedEndpoint<NetworkTokens>
    ) {
        let sessionID = UUID()
        self.service = service
        self.sessionID = sessionID
        self.account = account
        session = TokenSession(
            tokens: tokens,
            vault: vault,
            clock: service.performer.options.clock,
            timer: service.performer.timer,
            onEvent: onEvent,
            onEpochEnd: { [cache = service.performer.responses] in cache.removeAll(of: sessionID, account: account) },
            fetch: { token, scope in try await service.performer.perform(refresh(token), for: scope) }
        )
    }

    /// Whether a user is signed in; `false` after a sign-out, and after the session has expired.
    public var isSignedIn: Bool { session.isSignedIn }

    /// Performs `endpoint` for the user who is signed in now and returns its response.
    ///
    /// Cancelling the task ends the request promptly, even while it waits for tokens. The timeout
    /// of the endpoint includes that wait.
    ///
    /// - Throws: ``NetworkError``, or `CancellationError` if the task is cancelled.
    public func request<Response>(_ endpoint: AuthenticatedEndpoint<Response>) async throws -> Response {
        // The scope is made before the first suspension, so the request keeps its user even if
        // another user signs in meanwhile.
        try await performer.perform(endpoint, for: makeScope())
    }

    /// The request pipeline of the controller for the server.
    var performer: NetworkRequestPerformer { service.performer }

    /// Returns the scope of a request for the user who is signed in now.
    func makeScope() -> UserScope {
        let request = session.makeRequest()
        // The name belongs to the first user only.
        let name = request.epoch == 0 ? account : nil
        let partition = name.map { .account($0) } ?? CachePartition.session(sessionID, epoch: request.epoch)
        return UserScope(session: session, request: request, partition: partition)
    }

    /// Signs in the user of `tokens` in place of the previous user.
    ///
    /// The sign-in takes effect before this function first suspends. Pending requests of the
    /// previous user fail with ``NetworkError/Code/signedOut``.
    ///
    /// - Parameter tokens: The tokens from the login.
    /// - Throws: The error of the vault if it cannot save the tokens. The user is signed in even
    ///   then.
    public func signIn(with tokens: NetworkTokens) async throws {
        try await session.signIn(with: tokens)
    }

    /// Replaces the tokens of the same user, for example after a password change.
    ///
    /// The change takes effect before this function first suspends. Requests that wait for a token
    /// leave with the new one, and the result of a pending refresh is discarded. If processes share
    /// the vault, the new tokens replace the tokens that the other processes have received. This
    /// function does not resend requests that were already sent.
    ///
    /// - Parameter tokens: The new tokens. If they have no refresh token, the old one stays.
    /// - Throws: ``NetworkError`` with the code ``NetworkError/Code/signedOut`` if no user is
    ///   signed in. The error of the vault if it cannot save the tokens, for example because
    ///   another process has signed out. The session uses the new tokens even then.
    public func replaceTokens(with tokens: NetworkTokens) async throws {
        try await session.replaceTokens(with: tokens)
    }

    /// Signs out the user, clears the vault and revokes the tokens on the server.
    ///
    /// The sign-out takes effect before this function first suspends. From then on, the transport
    /// receives no request. There is one exception: another thread may be sending a request at that
    /// moment. This request is cancelled, like all requests that were already sent, and is not sent
    /// again. Responses are discarded. If the calling task is cancelled, the sign-out still
    /// completes. If no user is signed in, this function does nothing.
    ///
    /// - Parameter revocation: The endpoint that revokes the tokens that it is given (RFC 7009), or
    ///   `nil` if the server has none.
    /// - Throws: The error of the revocation, or the error of the vault if the revocation
    ///   succeeded. The user is signed out in both cases. If both fail, `onEvent` receives the
    ///   error of the vault.
    public func signOut(
        revokingWith revocation: (@Sendable (NetworkTokens) -> NonAuthenticatedEndpoint<Void>)? = nil
    ) async throws {
        try await session.signOut(revoking: revoking(with: revocation.map { TokenRevocation($0) }))
    }

    /// Signs out the user as the other form does, and ends the session on the server with a request
    /// that carries its access token.
    ///
    /// The request is the last one with this token. It refreshes no tokens, and no later sign-in
    /// changes or cancels it. A token that the server has already refused is not sent.
    ///
    /// If access tokens expire long before the session, prefer an endpoint that is given the
    /// refresh token. A server that no longer accepts the access token keeps the session.
    ///
    /// ```swift
    /// try await controller.signOut(revokingWith: .logout)
    /// ```
    ///
    /// - Parameter revocation: The endpoint that ends the session of its access token.
    /// - Throws: The errors of the other form, and `NetworkError` with the code
    ///   ``NetworkError/Code/unauthorized`` if the server refuses the access token.
    public func signOut(revokingWith revocation: AuthenticatedEndpoint<Void>) async throws {
        try await session.signOut(revoking: revoking(with: TokenRevocation(revocation)))
    }

    private func revoking(with revocation: TokenRevocation?) -> TokenSession.Revocation {
        { [performer] tokens, isRefused in try await revocation?.send(performer, tokens, isRefused) }
    }
}

// For code that decides under a lock, and signs in and out in the same step.
extension AuthenticatedNetworkController {
    /// Signs in the user of `tokens` as ``signIn(with:)`` does, before this function returns.
    ///
    /// - Returns: The task that saves the tokens. It throws the error of the vault.
    package func beginSignIn(with tokens: NetworkTokens) -> Task<Void, any Error> {
        session.beginSignIn(with: tokens)
    }

    /// Signs out the user as `signOut(revokingWith:)` does, before this function returns.
    package func beginSignOut(revokingWith revocation: TokenRevocation?) -> PendingSignOut {
        session.beginSignOut(revoking: revoking(with: revocation))
    }
}

// Calls that must not compile, each with a message that says why.
extension AuthenticatedNetworkController {
    /// Creates no controller: a refresh needs a ``NonAuthenticatedEndpoint``.
    ///
    /// A refresh through an endpoint that waits for tokens would wait for itself forever.
    @available(
        *,
        unavailable,
        message: """
            refreshing needs a 'NonAuthenticatedEndpoint'; \
            an 'AuthenticatedEndpoint' would wait for the refresh that it is
            """
    )
    public init(
        over service: NonAuthenticatedNetworkController,
        tokens: NetworkTokens,
        account: String? = nil,
        vault: any TokenVault = MemoryTokenVault(),
        onEvent: @escaping @Sendable (NetworkError) -> Void = { _ in },
        refresh: @escaping @Sendable (RefreshToken) -> AuthenticatedEndpoint<NetworkTokens>
    ) {
        self.init(over: service, tokens: tokens, vault: vault, onEvent: onEvent) { token in
            NonAuthenticatedEndpoint<NetworkTokens>(refresh(token).request)
        }
    }

    /// Reports a clear compiler error for a non-authenticated endpoint.
    @available(
        *,
        unavailable,
        message: """
            a 'NonAuthenticatedEndpoint' needs a 'NonAuthenticatedNetworkController'; \
            this controller performs only an 'AuthenticatedEndpoint'
            """
    )
    public func request<Response>(_ endpoint: NonAuthenticatedEndpoint<Response>) async throws -> Response {
        throw NetworkError.signedOut
    }
}
