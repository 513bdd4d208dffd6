internal import BackplaneConcurrency
internal import Foundation
internal import HTTPTypes

/// The session of the signed-in user: it supplies tokens and refreshes them once for all requests.
///
/// ``TokenSessionStateMachine`` decides, under a lock and not on an actor. So a sign-out has taken
/// effect when the call returns, and a cancelled waiter is removed when its task is cancelled. The
/// effects of a decision, such as resuming waiters and notifying the app, run after the lock is
/// released. Only operations of the vault are queued under the lock, because the vault must see the
/// decisions in their order.
final class TokenSession: Sendable {
    private typealias Waiter = CheckedContinuation<TokenCredential, any Error>
    /// Revokes tokens on the server, and learns whether it has refused the access token.
    typealias Revocation = @Sendable (NetworkTokens, _ isRefused: Bool) async throws -> Void

    private let state: Locked<TokenSessionStateMachine<Waiter>>
    private let vault: TokenVaultQueue
    private let uptime: Stopwatch
    private let onEvent: @Sendable (NetworkError) -> Void
    private let onEpochEnd: @Sendable () -> Void
    private let fetch: @Sendable (RefreshToken, RefreshScope) async throws -> NetworkTokens

    /// Creates a session for the user of `tokens`.
    ///
    /// `fetch` exchanges a refresh token for new tokens, in limited time, and checks the scope
    /// directly before it sends. `onEpochEnd` is called when a user has left, even if another user
    /// has signed in.
    ///
    /// If a previous process began a refresh of the tokens and ended, the refresh is repeated at
    /// once (N11). The server may already have replaced the tokens, and accepts the old ones only
    /// for a short time.
    init(
        tokens: NetworkTokens,
        vault: any TokenVault,
        clock: any Clock<Duration>,
        timer: DeadlineTimer,
        onEvent: @escaping @Sendable (NetworkError) -> Void,
        onEpochEnd: @escaping @Sendable () -> Void = {},
        fetch: @escaping @Sendable (RefreshToken, RefreshScope) async throws -> NetworkTokens
    ) {
        state = Locked(TokenSessionStateMachine(tokens: tokens, lifetime: tokens.remainingLifetime(at: Date())))
        self.vault = TokenVaultQueue(vault, tokens: tokens, clock: clock, timer: timer)
        uptime = Stopwatch(clock)
        self.onEvent = onEvent
        self.onEpochEnd = onEpochEnd
        self.fetch = fetch
        if tokens.history?.isBeingRefreshed == true, let refresh = state.withLock({ $0.beginRefresh() }) {
            start(refresh)
        }
    }

    var isSignedIn: Bool { state.withLock { $0.isSignedIn } }

    // MARK: Requests

    /// Returns a new request of the user who is signed in now.
    func makeRequest() -> UserRequest { UserRequest(epoch: state.withLock { $0.epoch }) }

    /// Throws if the user of `request` is no longer signed in.
    func check(_ request: UserRequest) throws {
        try state.withLock { try $0.check(request.epoch) }
    }

    /// Calls `end` when the user of `request` leaves, until the returned closure is called.
    ///
    /// So a request that is in a transport is cancelled there, and nothing sends it again (D41).
    func follow(_ request: UserRequest, _ end: @escaping @Sendable (any Error) -> Void) throws -> @Sendable () -> Void {
        let number = try state.withLock { try $0.follow(request.epoch, ending: end) }
        return { self.state.withLock { $0.forgetRequest(number) } }
    }

    /// Throws if `refresh` no longer has to replace its tokens.
    func check(_ refresh: TokenRefresh) throws {
        if tokens(for: refresh) == nil { throw NetworkError.signedOut }
    }

    /// Sends a request with a token, and once more with the next token if the server refuses the
    /// first.
    ///
    /// The request is never sent for another user. Even a request that is sent several times has
    /// only one resend for refused tokens (N3).
    func authorize<Response>(
        _ request: UserRequest,
        send: (AccessToken) async throws -> Response,
        isRefused: (Response) -> Bool
    ) async throws -> Response {
        let epoch = request.epoch
        let credential = try await credential(for: request, mayRefresh: request.hasRetry)
        let response = try await result(in: epoch) { try await send(credential.access) }
        guard isRefused(response) else { return response }
        state.withLock { $0.refuse(credential.stamp) }
        guard request.takeRetry() else { return response }
        let successor = try await self.credential(for: request, mayRefresh: true)
        let secondResponse = try await result(in: epoch) { try await send(successor.access) }
        if isRefused(secondResponse) { state.withLock { $0.refuse(successor.stamp) } }
        return secondResponse
    }

    /// Returns the result of `send`, or throws if its user has signed out meanwhile.
    private func result<Response>(in epoch: Int, of send: () async throws -> Response) async throws -> Response {
        let result: Result<Response, any Error>
        do {
            result = .success(try await send())
        } catch {
            result = .failure(error)
        }
        try state.withLock { try $0.check(epoch) }
        return try result.get()
    }

    /// Returns a token that may be sent at once: it is current and not refused.
    ///
    /// Waits for the token if needed. If `mayRefresh` is true, this request may cause a refresh of
    /// a refused token, which happens once (N3).
    private func credential(for request: UserRequest, mayRefresh: Bool) async throws -> TokenCredential {
        var mayRefresh = mayRefresh
        while true {
            let now = uptime.elapsed
            if let credential = try state.withLock({ try $0.credential(for: request.epoch, now: now) }) {
                return credential
            }
            if !mayRefresh, state.withLock({ $0.isRefused }) { throw NetworkError.tokenRefused }
            let credential = try await awaitedCredential(for: request.epoch)
            // Time has passed since this waiter was resumed. Another request may have sent the
            // token meanwhile, and the server may have refused it.
            switch state.withLock({ $0.use(of: credential.stamp) }) {
            case .allowed: return credential
            case .replaced: break
            case .refused:
                guard request.takeRetry() else { throw NetworkError.tokenRefused }
                mayRefresh = true
            }
        }
    }

    private func awaitedCredential(for epoch: Int) async throws -> TokenCredential {
        let id = state.withLock { $0.makeWaiterID() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                addWaiter(waiter, as: id, epoch: epoch)
                // The cancellation handler of a task that was cancelled before this line may not
                // have found the waiter. After this line it finds the waiter. Only the caller that
                // removes the waiter resumes it, so it is resumed once.
                if Task.isCancelled { cancelWaiter(id) }
            }
        } onCancel: {
            cancelWaiter(id)
        }
    }

    private func addWaiter(_ waiter: Waiter, as id: Int, epoch: Int) {
        let now = uptime.elapsed
        var clearing: Task<TokenVaultQueue.VaultComparison, any Error>?
        let enrolment = state.withLock { state in
            let enrolment = state.addWaiter(waiter, as: id, epoch: epoch, now: now)
            if case .expired(_, let ended) = enrolment { clearing = vault.remove(ended.tokens) }
            return enrolment
        }
        switch enrolment {
        case .admitted(let credential):
            waiter.resume(returning: credential)
        case .refused(let error):
            waiter.resume(throwing: error)
        case .waiting(let refresh):
            if let refresh { start(refresh) }
        case .expired(let error, let ended):
            onEvent(error)
            conclude(ended, with: error)
            waiter.resume(throwing: error)
            if let clearing { Task.detached { _ = await self.finding(of: clearing) } }
        }
    }

    private func cancelWaiter(_ id: Int) {
        state.withLock { $0.removeWaiter(id) }?.resume(throwing: CancellationError())
    }

    // MARK: Refreshes

    /// Performs a refresh in a task of the session, which continues even if the request that caused
    /// it ends.
    private func start(_ refresh: TokenRefresh) {
        // Detached, because the task-local values of the first request do not belong to the other
        // requests.
        Task.detached(priority: Task.currentPriority) {
            var lease: VaultLease?
            do {
                lease = try await self.vault.takeLock()
            } catch {
                // Other processes may then refresh at the same time, which a server tolerates for a
                // while.
                self.onEvent(.vaultFailed(error))
            }
            await self.carryOut(refresh)
            await lease?.end()
            self.state.withLock { _ = $0.takeRevocation(for: refresh) }
        }
    }

    private func carryOut(_ refresh: TokenRefresh) async {
        // The vault stores the note before the refresh request leaves, because the request may use
        // up the tokens. The save is queued in one step with the check of the session, as in
        // `commit`.
        let noting = state.withLock { state in
            state.tokens(for: refresh).map { ($0, vault.save($0.beingRefreshed, succeeding: $0)) }
        }
        guard let (tokens, saving) = noting else { return }
        switch await finding(of: saving) {
        case .unchanged: break
        case .ended: return await expire(refresh, because: nil)
        case .refreshed(let newer):
            // The same token with precedence is the one to replace (N25).
            if newer.isUsable(at: Date()), newer.access != tokens.access { return adopt(newer, for: refresh) }
            state.withLock { $0.take(newer, for: refresh) }
            return await carryOut(refresh)
        }
        guard let token = tokens.refresh else { return await expire(refresh, because: nil) }
        do {
            let response = try await fetch(token, RefreshScope(session: self, refresh: refresh))
            await commit(response.succeeding(tokens), succeeding: tokens, by: refresh)
        } catch {
            await fail(refresh, with: error)
        }
    }

    private func commit(_ tokens: NetworkTokens, succeeding predecessor: NetworkTokens, by refresh: TokenRefresh) async
    {
        let receivedAt = uptime.elapsed
        // The session is checked and the save is queued in one step. So a later sign-out clears the
        // vault later.
        let saving = state.withLock { state in
            state.tokens(for: refresh).map { _ in vault.save(tokens, succeeding: predecessor) }
        }
        if let saving {
            switch await finding(of: saving) {
            case .ended: await expire(refresh, because: nil)
            // Another process has given the session other tokens meanwhile (N25).
            case .refreshed(let newer): adopt(newer, for: refresh)
            case .unchanged: putToUse(tokens, lifetime: tokens.expiresIn, from: receivedAt, by: refresh)
            }
        }
        // A user who signed out before the tokens were used could not revoke them.
        guard let revoke = state.withLock({ $0.takeRevocation(for: refresh) }) else { return }
        do {
            // A token that the refresh has only repeated was revoked with the sign-out, or refused.
            try await revoke(tokens, tokens.access == predecessor.access)
        } catch {
            onEvent(.revocationFailed(error))
        }
    }

    /// Uses tokens that another process has fetched for the session.
    private func adopt(_ tokens: NetworkTokens, for refresh: TokenRefresh) {
        putToUse(tokens, lifetime: tokens.remainingLifetime(at: Date()), from: uptime.elapsed, by: refresh)
    }

    private func putToUse(
        _ tokens: NetworkTokens,
        lifetime: Duration?,
        from instant: Duration,
        by refresh: TokenRefresh
    ) {
        let now = uptime.elapsed
        let error = NetworkError.refreshUnavailable(NetworkError.tokenRepeated)
        let pause = RefreshFailure.pause(after: error, failures: refresh.failures + 1)
        if let waiters = state.withLock({ $0.refuse(tokens, by: refresh, with: error, pause: pause, now: now) }) {
            for waiter in waiters { waiter.resume(throwing: error) }
            return
        }
        let committed = state.withLock { $0.commit(tokens, lifetime: lifetime, from: instant, by: refresh, now: now) }
        guard let committed else { return }
        for waiter in committed.waiters { waiter.resume(returning: committed.credential) }
    }

    private func fail(_ refresh: TokenRefresh, with cause: any Error) async {
        if RefreshFailure.isFinal(cause) { return await expire(refresh, because: cause) }
        let error = NetworkError.refreshUnavailable(cause)
        let pause = RefreshFailure.pause(after: cause, failures: refresh.failures + 1)
        let now = uptime.elapsed
        let outcome = state.withLock { $0.giveUp(refresh, with: error, pause: pause, now: now) }
        guard let outcome else { return }
        for waiter in outcome.waiters {
            if let credential = outcome.credential {
                waiter.resume(returning: credential)
            } else {
                waiter.resume(throwing: error)
            }
        }
    }

    /// Ends the session: the server no longer accepts its tokens, or another process has ended it.
    ///
    /// Another process may have changed the tokens meanwhile. The last look at the vault is one
    /// step with the removal, so that nobody's newer tokens are removed.
    private func expire(_ refresh: TokenRefresh, because cause: (any Error)?) async {
        let removing = state.withLock { state in state.tokens(for: refresh).map { vault.remove($0) } }
        guard let removing else { return }
        if case .refreshed(let newer) = await finding(of: removing) { return adopt(newer, for: refresh) }
        let error = NetworkError.sessionExpired(cause)
        guard let ended = state.withLock({ $0.expire(refresh, with: error) }) else { return }
        // The event comes first, so a caller whose request fails finds the app already notified.
        onEvent(error)
        conclude(ended, with: error)
    }

    private func tokens(for refresh: TokenRefresh) -> NetworkTokens? {
        state.withLock { $0.tokens(for: refresh) }
    }

    /// Returns the comparison of the vault; a vault that fails counts as unchanged.
    private func finding(
        of task: Task<TokenVaultQueue.VaultComparison, any Error>
    ) async -> TokenVaultQueue.VaultComparison {
        do {
            return try await vault.value(of: task)
        } catch {
            onEvent(.vaultFailed(error))
            return .unchanged
        }
    }

    // MARK: Users

    /// Begins an epoch for the user of `tokens`, before this function first suspends.
    func signIn(with tokens: NetworkTokens) async throws {
        try await vault.value(of: beginEpoch(with: tokens))
    }

    /// Begins an epoch as ``signIn(with:)`` does, and returns the save of the tokens without a wait
    /// for it.
    func beginSignIn(with tokens: NetworkTokens) -> Task<Void, any Error> {
        let saving = beginEpoch(with: tokens)
        return Task.detached { try await self.vault.value(of: saving) }
    }

    private func beginEpoch(with tokens: NetworkTokens) -> Task<Void, any Error> {
        let now = uptime.elapsed
        let lifetime = tokens.remainingLifetime(at: Date())
        let (ended, saving) = state.withLock { state in
            (state.signIn(with: tokens, lifetime: lifetime, now: now), vault.saveFirst(tokens))
        }
        if let ended { conclude(ended, with: .signedOut) }
        return saving
    }

    /// Replaces the tokens of the same user, before this function first suspends.
    func replaceTokens(with tokens: NetworkTokens) async throws {
        let now = uptime.elapsed
        let lifetime = tokens.remainingLifetime(at: Date())
        let replaced = state.withLock { state in
            state.replaceTokens(with: tokens, lifetime: lifetime, now: now)
                .map { ($0.credential, $0.waiters, vault.replace(with: $0.tokens)) }
        }
        guard let (credential, waiters, saving) = replaced else { throw NetworkError.signedOut }
        for waiter in waiters { waiter.resume(returning: credential) }
        try await vault.value(of: saving)
    }

    /// Ends the epoch before this function first suspends, then clears the vault and revokes the
    /// tokens.
    ///
    /// The rest continues even if the task is cancelled. Tokens that a late refresh returns are
    /// revoked too.
    func signOut(revoking revoke: @escaping Revocation) async throws {
        guard let ended = endEpoch(revokingWith: revoke) else { return }
        let rest = finish(ended, revokingWith: revoke)
        let (revoked, cleared) = (await rest.revoking.result, await rest.clearing.result)
        if case .failure(let error) = cleared, case .failure = revoked {
            // Only one error can be thrown, and the other must not be lost.
            onEvent(.vaultFailed(error))
        }
        try revoked.get()
        try cleared.get()
    }

    /// Ends the epoch as ``signOut(revoking:)`` does, and returns the rest of the sign-out without
    /// a wait for it.
    ///
    /// If no user is signed in, there is nothing to revoke, and the rest ends when the vault has
    /// performed the operations of the session.
    func beginSignOut(revoking revoke: @escaping Revocation) -> PendingSignOut {
        if let ended = endEpoch(revokingWith: revoke) { return finish(ended, revokingWith: revoke) }
        let draining = vault.drain()
        return PendingSignOut(revoking: Task {}, clearing: Task.detached { try await self.vault.value(of: draining) })
    }

    /// Clears the vault and revokes the tokens at the same time: if the vault fails or hangs, the
    /// tokens must still be revoked.
    private func finish(
        _ ended: (tokens: NetworkTokens, isRefused: Bool, clearing: Task<Void, any Error>),
        revokingWith revoke: @escaping Revocation
    ) -> PendingSignOut {
        PendingSignOut(
            revoking: Task.detached { try await revoke(ended.tokens, ended.isRefused) },
            clearing: Task.detached { try await self.vault.value(of: ended.clearing) }
        )
    }

    /// Performs the immediate part of a sign-out; `nil` if no user is signed in.
    func endEpoch(
        revokingWith revoke: @escaping Revocation
    ) -> (tokens: NetworkTokens, isRefused: Bool, clearing: Task<Void, any Error>)? {
        let ended = state.withLock { state in
            state.signOut(revokingWith: revoke).map { (what: $0, clearing: vault.clear($0.tokens)) }
        }
        guard let ended else { return nil }
        conclude(ended.what, with: .signedOut)
        return (ended.what.tokens, ended.what.isRefused, ended.clearing)
    }

    private func conclude(_ ended: TokenSessionStateMachine<Waiter>.Ended, with error: NetworkError) {
        onEpochEnd()
        for waiter in ended.waiters { waiter.resume(throwing: error) }
        for end in ended.requests { end(error) }
    }
}
