internal import BackplaneConcurrency
internal import Foundation
internal import HTTPTypes

/// The tokens of whoever is signed in: hands them out, and has them refreshed once for all who need it.
///
/// What happens when is decided by ``TokenSessionStateMachine``, under a lock rather than on an actor: so that signing out is done
/// when the call returns, and a cancelled waiter is gone when its task is cancelled. What follows from a decision
/// (waking waiters, telling the app) is done after the lock is released; only the vault's queue is joined under it, since
/// the vault must see the decisions in the order they were taken.
final class TokenSession: Sendable {
    private typealias Waiter = CheckedContinuation<TokenCredential, any Error>

    private let state: Locked<TokenSessionStateMachine<Waiter>>
    private let vault: TokenVaultQueue
    private let uptime: Stopwatch
    private let onEvent: @Sendable (NetworkSessionEvent) -> Void
    private let onEpochEnd: @Sendable () -> Void
    private let fetch: @Sendable (RefreshToken, RefreshScope) async throws -> NetworkTokens

    /// A session of whom `tokens` were issued to; `fetch` exchanges a refresh token for new tokens, in finite time, and
    /// asks the scope right before it sends.
    ///
    /// If a refresh of them had begun when the process ended that had them before, it is repeated at once (N11): the server
    /// may have replaced them already, and bears with that for a short time only.
    ///
    /// `onEpochEnd` is called when a user has gone, whether or not another one has come.
    init(
        tokens: NetworkTokens,
        vault: any TokenVault,
        clock: any Clock<Duration>,
        timer: DeadlineTimer,
        onEvent: @escaping @Sendable (NetworkSessionEvent) -> Void,
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

    /// A request of who is signed in now.
    func makeRequest() -> UserRequest { UserRequest(epoch: state.withLock { $0.epoch }) }

    /// Throws unless the user whose request it is is still signed in.
    func check(_ request: UserRequest) throws {
        try state.withLock { try $0.check(request.epoch) }
    }

    /// Throws unless the tokens that `refresh` is to replace are still to be replaced.
    func check(_ refresh: TokenRefresh) throws {
        if tokens(for: refresh) == nil { throw NetworkError.signedOut }
    }

    /// Sends a request with a token, and if the token is refused once more with the next one.
    ///
    /// It is never sent for another user than the one whose request it is. A request that is sent several times, for
    /// whatever reason, has one retry for refused tokens in all (N3).
    func authorize<Response>(
        _ request: UserRequest,
        send: (AccessToken) async throws -> Response,
        isRefused: (Response) -> Bool
    ) async throws -> Response {
        let epoch = request.epoch
        let credential = try await credential(for: request, mayRefresh: request.hasRetry)
        let answer = try await result(in: epoch) { try await send(credential.access) }
        guard isRefused(answer) else { return answer }
        state.withLock { $0.refuse(credential.stamp) }
        guard request.takeRetry() else { return answer }
        let successor = try await self.credential(for: request, mayRefresh: true)
        let secondAnswer = try await result(in: epoch) { try await send(successor.access) }
        if isRefused(secondAnswer) { state.withLock { $0.refuse(successor.stamp) } }
        return secondAnswer
    }

    /// What `send` came to, unless its user has gone: then neither its answer nor its error is of interest.
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

    /// A token that may leave at once: one of those in use, and not refused.
    ///
    /// Waits for it if need be. `mayRefresh` says whether a refused token is to be replaced for this request's sake, which happens
    /// once (N3).
    private func credential(for request: UserRequest, mayRefresh: Bool) async throws -> TokenCredential {
        var mayRefresh = mayRefresh
        while true {
            let now = uptime.elapsed
            if let credential = try state.withLock({ try $0.credential(for: request.epoch, now: now) }) {
                return credential
            }
            if !mayRefresh, state.withLock({ $0.isRefused }) { throw NetworkError.tokenRefused }
            let credential = try await awaitedCredential(for: request.epoch)
            // It was woken some time ago; others may have sent the token meanwhile, and the server may have refused it.
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
                // A task cancelled before this line may have looked for its waiter in vain; one cancelled after it
                // finds it. Removing is what decides, so the waiter is resumed once either way.
                if Task.isCancelled { cancelWaiter(id) }
            }
        } onCancel: {
            cancelWaiter(id)
        }
    }

    private func addWaiter(_ waiter: Waiter, as id: Int, epoch: Int) {
        let now = uptime.elapsed
        var clearing: Task<Void, any Error>?
        let enrolment = state.withLock { state in
            let enrolment = state.addWaiter(waiter, as: id, epoch: epoch, now: now)
            if case .expired(_, let ended) = enrolment { clearing = vault.clear(ended.tokens) }
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
            onEvent(NetworkSessionEvent(kind: .expired, cause: nil))
            conclude(ended, with: error)
            waiter.resume(throwing: error)
            if let clearing { Task.detached { await self.report(clearing) } }
        }
    }

    private func cancelWaiter(_ id: Int) {
        state.withLock { $0.removeWaiter(id) }?.resume(throwing: CancellationError())
    }

    // MARK: Refreshes

    /// Carries out a refresh in a task of the session's own: whoever caused it may leave.
    private func start(_ refresh: TokenRefresh) {
        // Detached, since the task-locals of the request that happened to come first are not everybody's.
        Task.detached(priority: Task.currentPriority) {
            var lease: VaultLease?
            do {
                lease = try await self.vault.takeLock()
            } catch {
                // Others may then refresh at the same time, which a server forgives for a while.
                self.onEvent(NetworkSessionEvent(kind: .vaultFailed, cause: error))
            }
            await self.carryOut(refresh)
            await lease?.end()
            self.state.withLock { _ = $0.takeRevocation(for: refresh) }
        }
    }

    private func carryOut(_ refresh: TokenRefresh) async {
        // The note that a refresh begins is durable before its request leaves: from then on, the tokens may be used up.
        // The place in the vault's queue is taken in one step with the look at the session, as in `commit`.
        let noting = state.withLock { state in
            state.tokens(for: refresh).map { ($0, vault.save($0.beingRefreshed, succeeding: $0)) }
        }
        guard let (tokens, saving) = noting else { return }
        switch await finding(of: saving) {
        case .unchanged: break
        case .ended: return await expire(refresh, because: nil)
        case .refreshed(let newer):
            if newer.isUsable(at: Date()) { return adopt(newer, for: refresh) }
            state.withLock { $0.take(newer, for: refresh) }
            return await carryOut(refresh)
        }
        guard let token = tokens.refresh else { return await expire(refresh, because: nil) }
        do {
            let answer = try await fetch(token, RefreshScope(session: self, refresh: refresh))
            await commit(answer.succeeding(tokens), succeeding: tokens, by: refresh)
        } catch {
            await fail(refresh, of: tokens, with: error)
        }
    }

    private func commit(_ tokens: NetworkTokens, succeeding predecessor: NetworkTokens, by refresh: TokenRefresh) async
    {
        let receivedAt = uptime.elapsed
        // Whether the session is still there is looked at, and the place in the vault's queue taken, in one step: who
        // signs out later clears the vault later.
        let saving = state.withLock { state in
            state.tokens(for: refresh).map { _ in vault.save(tokens, succeeding: predecessor) }
        }
        if let saving {
            if case .ended = await finding(of: saving) {
                await expire(refresh, because: nil)
            } else {
                putToUse(tokens, lifetime: tokens.expiresIn, from: receivedAt, by: refresh)
            }
        }
        // Whoever signed out before they were put to use could not have them revoked.
        guard let revoke = state.withLock({ $0.takeRevocation(for: refresh) }) else { return }
        do {
            try await revoke(tokens)
        } catch {
            onEvent(NetworkSessionEvent(kind: .revocationFailed, cause: error))
        }
    }

    /// Goes on with tokens that another process has got for the session.
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
        let committed = state.withLock { $0.commit(tokens, lifetime: lifetime, from: instant, by: refresh, now: now) }
        guard let committed else { return }
        for waiter in committed.waiters { waiter.resume(returning: committed.credential) }
    }

    private func fail(_ refresh: TokenRefresh, of tokens: NetworkTokens, with cause: any Error) async {
        if RefreshFailure.isFinal(cause) {
            // Somebody who takes no notice of the lock may have been quicker, and the token used up for that reason.
            if case .refreshed(let newer) = await finding(of: vault.compare(with: tokens)) {
                return adopt(newer, for: refresh)
            }
            return await expire(refresh, because: cause)
        }
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

    /// Ends the session: the server accepts its tokens no longer, or another process has ended it.
    private func expire(_ refresh: TokenRefresh, because cause: (any Error)?) async {
        let error = NetworkError.sessionExpired(cause)
        let expired = state.withLock { state in
            state.expire(refresh, with: error).map { (what: $0, clearing: vault.clear($0.tokens)) }
        }
        guard let expired else { return }
        // First, so that whoever learns by a request that the session is over finds that everybody has been told.
        onEvent(NetworkSessionEvent(kind: .expired, cause: cause))
        conclude(expired.what, with: error)
        await report(expired.clearing)
    }

    private func tokens(for refresh: TokenRefresh) -> NetworkTokens? {
        state.withLock { $0.tokens(for: refresh) }
    }

    /// What the vault found; a vault that fails has found nothing.
    private func finding(
        of task: Task<TokenVaultQueue.VaultComparison, any Error>
    ) async -> TokenVaultQueue.VaultComparison {
        do {
            return try await vault.value(of: task)
        } catch {
            onEvent(NetworkSessionEvent(kind: .vaultFailed, cause: error))
            return .unchanged
        }
    }

    /// Waits for the vault; its failure must not keep anybody from going on, but somebody has to hear of it.
    private func report(_ task: Task<Void, any Error>) async {
        do {
            try await vault.value(of: task)
        } catch {
            onEvent(NetworkSessionEvent(kind: .vaultFailed, cause: error))
        }
    }

    // MARK: Users

    /// Begins an epoch for whom `tokens` were issued to; the epoch has begun before this first suspends.
    func signIn(with tokens: NetworkTokens) async throws {
        let now = uptime.elapsed
        let lifetime = tokens.remainingLifetime(at: Date())
        let (ended, saving) = state.withLock { state in
            (state.signIn(with: tokens, lifetime: lifetime, now: now), vault.saveFirst(tokens))
        }
        if let ended { conclude(ended, with: .signedOut) }
        try await vault.value(of: saving)
    }

    /// Goes on with other tokens for the same user, from before this first suspends.
    func replaceTokens(with tokens: NetworkTokens) async throws {
        let now = uptime.elapsed
        let lifetime = tokens.remainingLifetime(at: Date())
        let replaced = state.withLock { state in
            state.replaceTokens(with: tokens, lifetime: lifetime, now: now)
                .map { ($0.credential, $0.waiters, vault.save($0.tokens, succeeding: $0.tokens)) }
        }
        guard let (credential, waiters, saving) = replaced else { throw NetworkError.signedOut }
        for waiter in waiters { waiter.resume(returning: credential) }
        _ = try await vault.value(of: saving)
    }

    /// Ends the epoch, before this first suspends; then clears the vault and revokes the tokens, cancelled or not.
    ///
    /// Tokens that a refresh brings later are revoked, too.
    func signOut(revoking revoke: @escaping @Sendable (NetworkTokens) async throws -> Void) async throws {
        guard let (tokens, clearing) = endEpoch(revokingWith: revoke) else { return }
        // At the same time: a vault that fails or hangs is no reason to leave the tokens alive on the server.
        let revoking = Task.detached { try await revoke(tokens) }
        let waiting = Task.detached { try await self.vault.value(of: clearing) }
        let (revoked, cleared) = (await revoking.result, await waiting.result)
        if case .failure(let error) = cleared, case .failure = revoked {
            // One error is thrown; the other must not be lost.
            onEvent(NetworkSessionEvent(kind: .vaultFailed, cause: error))
        }
        try revoked.get()
        try cleared.get()
    }

    /// Does of signing out what takes effect at once; nil if nobody is signed in.
    func endEpoch(
        revokingWith revoke: @escaping @Sendable (NetworkTokens) async throws -> Void
    ) -> (tokens: NetworkTokens, clearing: Task<Void, any Error>)? {
        let ended = state.withLock { state in
            state.signOut(revokingWith: revoke).map { (what: $0, clearing: vault.clear($0.tokens)) }
        }
        guard let ended else { return nil }
        conclude(ended.what, with: .signedOut)
        return (ended.what.tokens, ended.clearing)
    }

    private func conclude(_ ended: TokenSessionStateMachine<Waiter>.Ended, with error: NetworkError) {
        onEpochEnd()
        for waiter in ended.waiters { waiter.resume(throwing: error) }
    }
}
