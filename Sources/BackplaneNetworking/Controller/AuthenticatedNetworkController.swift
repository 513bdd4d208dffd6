internal import Foundation

/// Performs requests on behalf of a signed-in user, and keeps the tokens they carry fresh.
///
/// It exists once there are tokens: made when a log-in succeeded, or from what a ``TokenVault`` kept. It takes only an
/// ``AuthenticatedEndpoint``. Copies share one session.
///
/// ```swift
/// let tokens = try await LoginPerformer(networking: service).login(using: credentials)
/// let account = AuthenticatedNetworkController(over: service, tokens: tokens) { .refresh($0) }
/// let user = try await account.request(.user(id))
/// ```
///
/// What it guarantees, from any number of tasks and threads at once:
/// - Tokens are refreshed when the access token is about to expire (30 seconds before, or a tenth of its life if that is
///   shorter) or the server does not accept it. There is never more
///   than one refresh; every request made meanwhile waits for it, so that none leaves with a token known to be bad.
/// - A request that was answered 401 goes out once more with a new token. A second 401 is thrown as
///   ``NetworkError/Code/unauthorized``.
/// - The refresh belongs to the session: cancelling whoever caused it, or all who wait for it, does not stop it, since the
///   server may have replaced the tokens already.
/// - A refresh that fails for a reason that may pass costs nobody the session. Until it is repeated, after half a second to a
///   minute, requests go out with the old token as long as it is valid, and fail at once with
///   ``NetworkError/Code/refreshUnavailable`` after that.
/// - A process that dies while it refreshes does not cost the session either: the vault says so at the next launch, and the
///   refresh is repeated with the same token as soon as the controller is made.
/// - Processes that share a vault refresh once between them, if the vault has a lock as ``FileTokenVault`` has; signing out in
///   one of them ends the session in the others at their next refresh.
/// - ``signOut(revokingWith:)`` takes effect at once. Whatever was under way for the user fails with
///   ``NetworkError/Code/signedOut``: at once if it waits for tokens, and when its answer or the end of its time comes if it
///   has been sent. A refresh that comes back late changes nothing.
public struct AuthenticatedNetworkController: Sendable {
    private let service: NonAuthenticatedNetworkController
    private let session: TokenSession
    /// Tells this session's answers in the cache from those of others.
    private let sessionID: UUID

    /// A controller for the user to whom `tokens` were issued.
    ///
    /// - Parameters:
    ///   - service: the server's controller for everybody. Base URL, transport and options are its; refreshes go
    ///     through it.
    ///   - tokens: what logging in, or the vault, yielded. They are taken to be in `vault` already, or not meant to be
    ///     there; ``signIn(with:)`` is what saves them.
    ///   - vault: where refreshed tokens are saved, before any request uses them.
    ///   - onEvent: told when the session expires or the vault fails; called on any thread.
    ///   - refresh: the endpoint that exchanges a refresh token for new tokens. An answer of 400 or 401 from it ends the
    ///     session, unless it says that the fault is the app's (RFC 6749 section 5.2: `invalid_client` and its like); every
    ///     other failure is taken to pass.
    public init(
        over service: NonAuthenticatedNetworkController,
        tokens: NetworkTokens,
        vault: any TokenVault = MemoryTokenVault(),
        onEvent: @escaping @Sendable (NetworkSessionEvent) -> Void = { _ in },
        refresh: @escaping @Sendable (RefreshToken) -> NonAuthenticatedEndpoint<NetworkTokens>
    ) {
        let sessionID = UUID()
        self.service = service
        self.sessionID = sessionID
        session = TokenSession(
            tokens: tokens,
            vault: vault,
            clock: service.performer.options.clock,
            timer: service.performer.timer,
            onEvent: onEvent,
            onEpochEnd: { [cache = service.performer.responses] in cache.removeAll(of: sessionID) },
            fetch: { token, scope in try await service.performer.perform(refresh(token), for: scope) }
        )
    }

    /// Whether there is a user to make requests for: `false` once signed out or expired.
    public var isSignedIn: Bool { session.isSignedIn }

    /// Performs `endpoint` for the user who is signed in now, and returns its response.
    ///
    /// Cancelling the task ends the request promptly, also while it waits for tokens. The endpoint's time-out includes
    /// that wait.
    ///
    /// - Throws: ``NetworkError``, or `CancellationError` when the task is cancelled.
    public func request<Response>(_ endpoint: AuthenticatedEndpoint<Response>) async throws -> Response {
        // Settled before the first suspension: a request never changes hands, whoever signs in while it is under way.
        try await request(endpoint, for: makeScope())
    }

    /// The scope of a request that the user who is signed in now makes.
    func makeScope() -> UserScope {
        let request = session.makeRequest()
        let partition = ResponseCache.Partition(session: sessionID, epoch: request.epoch)
        return UserScope(session: session, request: request, partition: partition)
    }

    func request<Response>(_ endpoint: AuthenticatedEndpoint<Response>, for scope: UserScope) async throws -> Response {
        try await service.performer.perform(endpoint, for: scope)
    }

    /// Replaces the user: requests from now on are for whom `tokens` were issued to.
    ///
    /// It takes effect before it first suspends. What was under way for the previous user, if there was one, fails with
    /// ``NetworkError/Code/signedOut``.
    ///
    /// - Parameter tokens: what logging in yielded.
    /// - Throws: what the vault throws when it cannot save the tokens; the user is signed in all the same.
    public func signIn(with tokens: NetworkTokens) async throws {
        try await session.signIn(with: tokens)
    }

    /// Goes on with other tokens for the same user, such as the server issues when a password was changed.
    ///
    /// It takes effect before it first suspends: requests that wait for a token go out with the new one, and a refresh that is
    /// under way comes to nothing. Requests that have been sent are not sent anew.
    ///
    /// - Parameter tokens: the new tokens. If they bring no refresh token, the old one stays.
    /// - Throws: ``NetworkError`` with the code ``NetworkError/Code/signedOut`` if nobody is signed in; what the vault
    ///   throws when it cannot save the tokens, which are used all the same.
    public func replaceTokens(with tokens: NetworkTokens) async throws {
        try await session.replaceTokens(with: tokens)
    }

    /// Ends the session, clears the vault, and has the server forget the tokens too.
    ///
    /// It takes effect before it first suspends: from then on no request leaves with the tokens, and answers to those that
    /// have left are dropped unread. The rest is done even if the calling task is cancelled. With nobody signed in, does
    /// nothing.
    ///
    /// - Parameter revocation: the endpoint that revokes tokens, if the server has one (RFC 7009).
    /// - Throws: what the revocation throws, or else what the vault throws; the user is signed out all the same. If both fail,
    ///   `onEvent` receives the vault's error.
    public func signOut(
        revokingWith revocation: (@Sendable (NetworkTokens) -> NonAuthenticatedEndpoint<Void>)? = nil
    ) async throws {
        try await session.signOut { [service] tokens in
            if let revocation { try await service.request(revocation(tokens)) }
        }
    }
}

// What must not compile, with a message that says why.
extension AuthenticatedNetworkController {
    /// Not available: it exists for the compiler's message.
    ///
    /// Refreshing with an endpoint that itself waits for tokens would wait for ever.
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
        vault: any TokenVault = MemoryTokenVault(),
        onEvent: @escaping @Sendable (NetworkSessionEvent) -> Void = { _ in },
        refresh: @escaping @Sendable (RefreshToken) -> AuthenticatedEndpoint<NetworkTokens>
    ) {
        self.init(over: service, tokens: tokens, vault: vault, onEvent: onEvent) { token in
            NonAuthenticatedEndpoint<NetworkTokens>(refresh(token).request)
        }
    }

    /// Not available: it exists for the compiler's message.
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
