internal import BackplaneConcurrency
public import BackplaneNetworking
public import Observation

/// The sign-in state of an app: no user, or one user with a controller for the user's requests.
///
/// It loads the user after a sign-in, restores the user at launch from the tokens in a vault, and
/// ends the account at a sign-out and when the tokens expire. So the app has a ``UserAccount``
/// exactly while a user is signed in.
///
/// ```swift
/// let session = UserSession(
///     over: service,
///     vault: vault,
///     user: .me,
///     refresh: { .refresh($0) },
///     revokingWith: .logout
/// )
/// if let account = try await session.resume() { open(account) } else { showSignIn() }
/// ```
///
/// **Isolation.** Use it from any thread. ``state`` and ``account`` are observable. An observer on
/// the main actor misses no change. An observer on another actor can miss a change that happens at
/// the moment when it starts to observe. Such code awaits ``resume()``, ``signIn(with:)`` and
/// ``UserAccount/ended()``.
///
/// **Order.** If there are several sign-ins and sign-outs, the last call counts. An earlier call
/// that has not ended creates no account, and its tokens are revoked. A sign-in takes effect when
/// its user is known. Until then, the previous user stays signed in. The account of the previous
/// user ends before the account of the new user exists.
///
/// **Vault.** The session is the only user of the vault in its process. It saves the tokens of a
/// sign-in when the user is known. If the vault fails, the session continues in memory, and
/// `onEvent` receives an error with the code `vaultFailed`.
///
/// **Lifetime.** A call that is under way keeps the session alive. Releasing the session sends
/// nothing: the user stays signed in on the server, and the tokens stay in the vault.
public final class UserSession<User: Identifiable & Sendable>: Sendable, Observable where User.ID: Sendable {
    /// The sign-in state.
    ///
    /// ```swift
    /// switch session.state {
    /// case .unknown: showSplash()
    /// case .signedOut(let reason): showSignIn(isExpired: reason == .expired)
    /// case .signedIn(let account): open(account)
    /// }
    /// ```
    public enum State: Sendable {
        /// It is not known whether a user is signed in.
        ///
        /// The vault was not read yet, or its user could not be loaded. Call
        /// ``UserSession/resume()``.
        case unknown
        /// No user is signed in.
        ///
        /// The reason is the end of the last account, or `nil` if this session had none. It is also
        /// ``AccountEnding/expired`` if the server has refused the tokens in the vault.
        case signedOut(reason: AccountEnding?)
        /// A user is signed in.
        case signedIn(UserAccount<User>)
    }

    let vault: any TokenVault
    let endpoint: AuthenticatedEndpoint<User>
    let revocation: TokenRevocation?
    let onEvent: @Sendable (NetworkError) -> Void
    let model = Locked(UserSessionModel<User>())
    let changes = SharedChanges()
    private let service: NonAuthenticatedNetworkController
    private let refresh: @Sendable (RefreshToken) -> NonAuthenticatedEndpoint<NetworkTokens>

    /// Creates a session in the state ``State/unknown``; it sends nothing.
    ///
    /// - Parameters:
    ///   - service: The controller for the server, without a user.
    ///   - vault: The vault that keeps the tokens between two runs of the app. Nothing else in the
    ///     process may use it.
    ///   - endpoint: The endpoint that loads the signed-in user. Two sign-ins are of the same user
    ///     if the IDs of the loaded users are equal.
    ///   - refresh: The endpoint that exchanges a refresh token for new tokens. See the initializer
    ///     of `AuthenticatedNetworkController`.
    ///   - revocation: The endpoint that revokes the tokens that it is given (RFC 7009), or `nil`
    ///     if the server has none.
    ///   - onEvent: A closure that receives the events of the signed-in user's controller, failures
    ///     of the vault, and failures of revocations that no call waits for. It is called on any
    ///     thread, after ``state`` has changed.
    public convenience init(
        over service: NonAuthenticatedNetworkController,
        vault: any TokenVault = MemoryTokenVault(),
        user endpoint: AuthenticatedEndpoint<User>,
        refresh: @escaping @Sendable (RefreshToken) -> NonAuthenticatedEndpoint<NetworkTokens>,
        revokingWith revocation: (@Sendable (NetworkTokens) -> NonAuthenticatedEndpoint<Void>)? = nil,
        onEvent: @escaping @Sendable (NetworkError) -> Void = { _ in }
    ) {
        self.init(service, vault, endpoint, refresh, revocation.map { TokenRevocation($0) }, onEvent)
    }

    /// Creates a session as the other form does, for a server whose endpoint ends the session of
    /// its access token.
    ///
    /// The request carries the access token of the user who has left: see
    /// `AuthenticatedNetworkController.signOut(revokingWith:)`.
    ///
    /// - Parameters:
    ///   - service: The controller for the server, without a user.
    ///   - vault: The vault that keeps the tokens between two runs of the app.
    ///   - endpoint: The endpoint that loads the signed-in user.
    ///   - refresh: The endpoint that exchanges a refresh token for new tokens.
    ///   - revocation: The endpoint that ends the session on the server.
    ///   - onEvent: A closure that receives events, as in the other form.
    public convenience init(
        over service: NonAuthenticatedNetworkController,
        vault: any TokenVault = MemoryTokenVault(),
        user endpoint: AuthenticatedEndpoint<User>,
        refresh: @escaping @Sendable (RefreshToken) -> NonAuthenticatedEndpoint<NetworkTokens>,
        revokingWith revocation: AuthenticatedEndpoint<Void>,
        onEvent: @escaping @Sendable (NetworkError) -> Void = { _ in }
    ) {
        self.init(service, vault, endpoint, refresh, TokenRevocation(revocation), onEvent)
    }

    private init(
        _ service: NonAuthenticatedNetworkController,
        _ vault: any TokenVault,
        _ endpoint: AuthenticatedEndpoint<User>,
        _ refresh: @escaping @Sendable (RefreshToken) -> NonAuthenticatedEndpoint<NetworkTokens>,
        _ revocation: TokenRevocation?,
        _ onEvent: @escaping @Sendable (NetworkError) -> Void
    ) {
        self.service = service
        self.vault = vault
        self.endpoint = endpoint
        self.refresh = refresh
        self.revocation = revocation
        self.onEvent = onEvent
    }

    /// The sign-in state; observable.
    public var state: State {
        changes.observe()
        return model.withLock { $0.state }
    }

    /// The account of the signed-in user, or `nil` while no user is signed in; observable.
    ///
    /// ```swift
    /// let name = session.account?.user.name ?? "Guest"
    /// ```
    public var account: UserAccount<User>? { state.account }

    /// Returns a controller for the user of `tokens`, whose session errors this session receives.
    func makeWriter(with tokens: NetworkTokens, vault: any TokenVault) -> SessionWriter {
        let tag = AccountTag()
        let controller = AuthenticatedNetworkController(
            over: service,
            tokens: tokens,
            vault: vault,
            onEvent: { [weak self, onEvent] event in
                if let self { receive(event, of: tag) } else { onEvent(event) }
            },
            refresh: refresh
        )
        return SessionWriter(controller: controller, tag: tag)
    }

    private func receive(_ event: NetworkError, of tag: AccountTag) {
        guard event.code == .sessionExpired else { return onEvent(event) }
        let (isCurrent, ended) = model.withLock { ($0.writer?.tag === tag, $0.expire(tag)) }
        if let ended {
            changes.publish()
            ended.announce()
        }
        // A sign-in whose tokens are refused throws, and the user who is signed in has not expired.
        if isCurrent { onEvent(event) }
    }

    /// Reports a failed operation on the vault, and returns when the operation has ended.
    func finish(_ operation: Task<Void, any Error>) async {
        do {
            try await operation.value
        } catch {
            onEvent(.vaultFailed(error))
        }
    }

    /// Reports a failed revocation, without a wait for it.
    func watch(_ revoking: Task<Void, any Error>) {
        Task.detached { [onEvent] in
            do {
                try await revoking.value
            } catch {
                onEvent(.revocationFailed(error))
            }
        }
    }

    /// Ends the sign-in in the vault that an earlier run of the app has left, if no controller of
    /// this session has used the vault yet.
    ///
    /// - Parameter order: The number of the call that needs the vault.
    /// - Returns: The rest of the sign-out, or `nil` if there is nothing to wait for.
    /// - Throws: The error of the vault if it cannot be read.
    func leaveStored(for order: Int) async throws -> PendingSignOut? {
        guard let tokens = try await vault.load() else { return nil }
        return model.withLock { model in
            if model.writer == nil {
                model.writer = makeWriter(with: tokens, vault: vault)
            } else if model.lastOrder != order {
                // A later call has taken over the vault.
                return nil
            }
            return model.writer?.controller.beginSignOut(revokingWith: revocation)
        }
    }
}

extension UserSession.State {
    var account: UserAccount<User>? {
        if case .signedIn(let account) = self { account } else { nil }
    }
}
