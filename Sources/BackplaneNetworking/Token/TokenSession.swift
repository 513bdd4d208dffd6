internal import BackplaneConcurrency
internal import Foundation
internal import HTTPTypes

/// The tokens of whoever is signed in: hands them out, and has them refreshed once for all who need it.
///
/// What happens when is decided by ``TokenSessionState``, under a lock rather than on an actor: so that signing out is done
/// when the call returns, and a cancelled waiter is gone when its task is cancelled. What follows from a decision
/// (waking waiters, telling the app) is done after the lock is released; only the vault's queue is joined under it, since
/// the vault must see the decisions in the order they were taken.
final class TokenSession: Sendable {
    private typealias Waiter = CheckedContinuation<TokenCredential, any Error>

    private let state: Locked<TokenSessionState<Waiter>>
    private let vault: TokenVaultQueue
    private let uptime: Stopwatch
    private let onEvent: @Sendable (NetworkSessionEvent) -> Void
    private let fetch: @Sendable (RefreshToken) async throws -> NetworkTokens

    /// A session of whom `tokens` were issued to; `fetch` exchanges a refresh token for new tokens, in finite time.
    init(
        tokens: NetworkTokens,
        vault: any TokenVault,
        clock: any Clock<Duration>,
        onEvent: @escaping @Sendable (NetworkSessionEvent) -> Void,
        fetch: @escaping @Sendable (RefreshToken) async throws -> NetworkTokens
    ) {
        state = Locked(TokenSessionState(tokens: tokens, lifetime: tokens.remainingLifetime(at: Date())))
        self.vault = TokenVaultQueue(vault)
        uptime = Stopwatch(clock)
        self.onEvent = onEvent
        self.fetch = fetch
    }

    var isSignedIn: Bool { state.withLock { $0.isSignedIn } }

    // MARK: Requests

    /// A request of who is signed in now.
    func makeRequest() -> UserRequest { UserRequest(epoch: state.withLock { $0.epoch }) }

    /// Throws unless the user whose request it is is still signed in.
    func check(_ request: UserRequest) throws {
        try state.withLock { try $0.check(request.epoch) }
    }

    /// Sends a request with a token, and if the token is refused once more with the next one.
    ///
    /// It is never sent for another user than the one whose request it is. A request that is sent several times, for
    /// whatever reason, has one retry for refused tokens in all (N3).
    func authenticating<Answer>(
        _ request: UserRequest,
        send: (AccessToken) async throws -> Answer,
        isRefused: (Answer) -> Bool
    ) async throws -> Answer {
        let epoch = request.epoch
        let credential = try await credential(for: epoch)
        let answer = try await result(in: epoch) { try await send(credential.access) }
        guard isRefused(answer) else { return answer }
        state.withLock { $0.refuse(credential.stamp) }
        guard request.takeRetry() else { return answer }
        let successor = try await self.credential(for: epoch)
        return try await result(in: epoch) { try await send(successor.access) }
    }

    /// What `send` came to, unless its user has gone: then neither its answer nor its error is of interest.
    private func result<Answer>(in epoch: Int, of send: () async throws -> Answer) async throws -> Answer {
        let result: Result<Answer, any Error>
        do {
            result = .success(try await send())
        } catch {
            result = .failure(error)
        }
        try state.withLock { try $0.check(epoch) }
        return try result.get()
    }

    /// A token that is not known to be bad; waits for one if need be.
    private func credential(for epoch: Int) async throws -> TokenCredential {
        let now = uptime.elapsed
        if let credential = try state.withLock({ try $0.credential(for: epoch, now: now) }) { return credential }
        let id = state.withLock { $0.makeWaiterID() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                enrol(waiter, as: id, epoch: epoch)
                // A task cancelled before this line may have looked for its waiter in vain; one cancelled after it
                // finds it. Removing is what decides, so the waiter is resumed once either way.
                if Task.isCancelled { cancelWaiter(id) }
            }
        } onCancel: {
            cancelWaiter(id)
        }
    }

    private func enrol(_ waiter: Waiter, as id: Int, epoch: Int) {
        let now = uptime.elapsed
        var clearing: Task<Void, any Error>?
        let enrolment = state.withLock { state in
            let enrolment = state.enrol(waiter, as: id, epoch: epoch, now: now)
            if case .expired = enrolment { clearing = vault.clear() }
            return enrolment
        }
        switch enrolment {
        case .admitted(let credential):
            waiter.resume(returning: credential)
        case .refused(let error):
            waiter.resume(throwing: error)
        case .waiting(let refresh):
            if let refresh { start(refresh) }
        case .expired(let error):
            waiter.resume(throwing: error)
            announceExpiry(error, clearing)
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
            do {
                await self.commit(try await self.fetch(refresh.token), by: refresh)
            } catch {
                self.fail(refresh, with: error)
            }
        }
    }

    private func commit(_ tokens: NetworkTokens, by refresh: TokenRefresh) async {
        let receivedAt = uptime.elapsed
        let saving = state.withLock { state in
            state.successor(by: refresh, bringing: tokens).map { (tokens: $0, task: vault.save($0)) }
        }
        guard let saving else { return }
        await report(saving.task)
        let now = uptime.elapsed
        let committed = state.withLock { $0.commit(saving.tokens, by: refresh, receivedAt: receivedAt, now: now) }
        guard let committed else { return }
        for waiter in committed.waiters { waiter.resume(returning: committed.credential) }
    }

    private func fail(_ refresh: TokenRefresh, with cause: any Error) {
        // RFC 6749 section 5.2: 400 is invalid_grant and its like, 401 a client that is not known. Anything else passes.
        guard [400, 401].contains((cause as? NetworkError)?.status?.code) else {
            let waiters = state.withLock { $0.giveUp(refresh) }
            for waiter in waiters ?? [] { waiter.resume(throwing: NetworkError.refreshUnavailable(cause)) }
            return
        }
        let error = NetworkError.sessionExpired(cause)
        let expired = state.withLock { state in
            state.expire(refresh, with: error).map { (waiters: $0, clearing: vault.clear()) }
        }
        guard let expired else { return }
        for waiter in expired.waiters { waiter.resume(throwing: error) }
        announceExpiry(error, expired.clearing)
    }

    private func announceExpiry(_ error: NetworkError, _ clearing: Task<Void, any Error>?) {
        onEvent(NetworkSessionEvent(kind: .expired, cause: error.cause))
        if let clearing { Task.detached { await self.report(clearing) } }
    }

    /// Waits for the vault; its failure must not keep anybody from going on, but somebody has to hear of it.
    private func report(_ task: Task<Void, any Error>) async {
        do {
            try await task.value
        } catch {
            onEvent(NetworkSessionEvent(kind: .vaultFailed, cause: error))
        }
    }

    // MARK: Users

    /// Begins an epoch for whom `tokens` were issued to; the epoch has begun before this first suspends.
    func signIn(with tokens: NetworkTokens) async throws {
        let now = uptime.elapsed
        let lifetime = tokens.remainingLifetime(at: Date())
        let (orphans, saving) = state.withLock { state in
            (state.signIn(with: tokens, lifetime: lifetime, now: now), vault.save(tokens))
        }
        for orphan in orphans { orphan.resume(throwing: NetworkError.signedOut) }
        try await saving.value
    }

    /// Ends the epoch, before this first suspends; then clears the vault and revokes the tokens, cancelled or not.
    func signOut(revoking revoke: @escaping @Sendable (NetworkTokens) async throws -> Void) async throws {
        let ended = state.withLock { state in
            state.signOut().map { (tokens: $0.tokens, waiters: $0.waiters, clearing: vault.clear()) }
        }
        guard let ended else { return }
        for waiter in ended.waiters { waiter.resume(throwing: NetworkError.signedOut) }
        try await Task.detached {
            // A vault that fails is no reason to leave the tokens alive on the server.
            let clearing = await ended.clearing.result
            try await revoke(ended.tokens)
            try clearing.get()
        }.value
    }
}
