internal import BackplaneConcurrency

/// A queue that performs the operations on a vault one after another, in the order of the calls.
///
/// The order matters: a sign-out during the save of a refresh must leave the vault empty. A queued
/// operation runs even if the task that queued it is cancelled.
///
/// Other processes may share the vault. The queue compares the contents of the vault with the
/// session's tokens and changes them in one step, under the write lock of the vault. A session
/// therefore never overwrites or clears the tokens of a session that replaced it.
final class TokenVaultQueue: Sendable {
    /// The changes by other processes to a session's tokens.
    enum VaultComparison: Sendable {
        /// No change: the vault holds these tokens or older ones, or has never held any of the
        /// session.
        case unchanged
        /// Another process has refreshed the tokens.
        case refreshed(NetworkTokens)
        /// Another process has signed out or has signed in another user.
        case ended
    }

    /// The time to wait for an operation of the vault.
    ///
    /// A slower operation still completes.
    static let patience = Duration.seconds(10)
    /// The time that a refresh waits for the vault's lock, longer than the refresh of another
    /// process takes.
    private static let lockPatience = Duration.seconds(90)

    private struct State {
        var last: Task<Void, Never>?
        var content = Content.unrelated
    }

    /// The relation of the vault's content to the session.
    private enum Content {
        /// The vault has never held tokens of the session: missing tokens mean nothing, and other
        /// tokens stay.
        case unrelated
        /// The vault is to hold the tokens of the user who has signed in, whatever it holds now.
        case awaited
        /// The vault has held tokens of the session: if they are missing, another process has
        /// removed them.
        case held
    }

    private let vault: any TokenVault
    private let clock: any Clock<Duration>
    private let timer: DeadlineTimer
    private let state = Locked(State())

    /// Creates a queue for the vault of a session with `tokens`.
    init(_ vault: any TokenVault, tokens: NetworkTokens, clock: any Clock<Duration>, timer: DeadlineTimer) {
        self.vault = vault
        self.clock = clock
        self.timer = timer
        // N19: Another process may have removed the tokens since the app read them. Without the
        // note, the session could not tell that from tokens that were never in the vault.
        if tokens.history?.wasStored == true { state.withLock { $0.content = .held } }
        // The queue compares now, before another process can remove the tokens, to learn whether
        // the vault held them.
        _ = compare(with: tokens)
    }

    /// Returns the result of an operation, but stops waiting for a vault that hangs.
    func value<Result: Sendable>(
        of operation: Task<Result, any Error>,
        within patience: Duration = TokenVaultQueue.patience
    ) async throws -> Result {
        do {
            return try await Deadline(in: patience, on: clock).limit(by: timer) { try await operation.value }
        } catch let error as NetworkError where error.code == .timedOut {
            throw NetworkError.vaultFailed(
                "The token vault has not responded within \(patience). Find out what it waits for.",
                cause: error
            )
        }
    }

    /// Takes the vault's lock for a refresh.
    ///
    /// - Throws: The reason why the lock is not available. The refresh may continue without it.
    func takeLock() async throws -> VaultLease {
        let taking = Task.detached { [vault] in try await VaultLease(of: vault) }
        do {
            return try await value(of: taking, within: Self.lockPatience)
        } catch {
            // The lock may still be granted later, and is released then.
            Task.detached { try await taking.value.end() }
            throw error
        }
    }

    // MARK: Operations

    /// Compares `tokens` with the vault to find changes by other processes.
    func compare(with tokens: NetworkTokens) -> Task<VaultComparison, any Error> {
        enqueue { self.finding(comparing: tokens, with: try await self.vault.load()) }
    }

    /// Saves `tokens` if no other process has changed `predecessor`, and returns the comparison.
    ///
    /// Tokens that were never meant to be in the vault do not replace the tokens of another
    /// session.
    func save(_ tokens: NetworkTokens, succeeding predecessor: NetworkTokens) -> Task<VaultComparison, any Error> {
        enqueueWriting {
            let stored = try await self.vault.load()
            let finding = self.finding(comparing: predecessor, with: stored)
            guard case .unchanged = finding else { return finding }
            let isNobodyElses = stored?.isOfSession(of: predecessor) ?? true
            if isNobodyElses || self.state.withLock({ $0.content == .awaited }) { try await self.save(tokens) }
            return finding
        }
    }

    /// Saves tokens that the app has given to the session, with precedence over all earlier ones of
    /// any process (N25).
    func replace(with tokens: NetworkTokens) -> Task<Void, any Error> {
        enqueueWriting {
            let stored = try await self.vault.load()
            let content = self.state.withLock { $0.content }
            let isOwn = stored?.isOfSession(of: tokens) ?? (content != .held)
            guard isOwn || content == .awaited else {
                throw NetworkError.vaultFailed(
                    """
                    The tokens were not saved, because the vault does not hold the user's tokens: another process has \
                    signed out, or it holds another user's. The session uses them until it ends.
                    """,
                    cause: nil
                )
            }
            try await self.save(isOwn ? tokens.outranking(stored) : tokens)
        }
    }

    /// Saves the tokens of the user who has just signed in.
    func saveFirst(_ tokens: NetworkTokens) -> Task<Void, any Error> {
        enqueueWriting {
            self.state.withLock { $0.content = .awaited }
            try await self.save(tokens)
        }
    }

    /// Removes `tokens`, which the server no longer accepts, unless another process has changed
    /// them; returns the comparison.
    func remove(_ tokens: NetworkTokens) -> Task<VaultComparison, any Error> {
        enqueueWriting {
            // Contents that cannot be read are cleared too.
            let stored = try? await self.vault.load()
            if let stored {
                let finding = self.finding(comparing: tokens, with: stored)
                guard case .unchanged = finding, stored.isOfSession(of: tokens) else { return finding }
            }
            try await self.clearNow()
            return .unchanged
        }
    }

    /// Removes `tokens` and all tokens that descend from them, but not the tokens of another
    /// session.
    func clear(_ tokens: NetworkTokens) -> Task<Void, any Error> {
        enqueueWriting {
            // Contents that cannot be read are cleared too.
            if let stored = try? await self.vault.load(), !stored.isOfSession(of: tokens) { return }
            try await self.clearNow()
        }
    }

    private func clearNow() async throws {
        try await vault.clear()
        state.withLock { $0.content = .unrelated }
    }

    /// Does nothing to the vault; the task ends after all operations that were queued before.
    func drain() -> Task<Void, any Error> {
        enqueue {}
    }

    private func save(_ tokens: NetworkTokens) async throws {
        try await vault.save(tokens.stored)
        state.withLock { $0.content = .held }
    }

    private func finding(comparing tokens: NetworkTokens, with stored: NetworkTokens?) -> VaultComparison {
        guard let stored, stored.isOfSession(of: tokens) else {
            // Tokens that were never in the vault have not been removed from it.
            return state.withLock { $0.content == .held } ? .ended : .unchanged
        }
        state.withLock { $0.content = .held }
        return stored.generation > tokens.generation ? .refreshed(stored) : .unchanged
    }

    private func enqueueWriting<Result: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Result
    ) -> Task<Result, any Error> {
        enqueue { [vault] in
            let result = Locked<Swift.Result<Result, any Error>?>(nil)
            do {
                try await vault.withWriteLock {
                    let outcome: Swift.Result<Result, any Error>
                    do { outcome = .success(try await operation()) } catch { outcome = .failure(error) }
                    result.withLock { $0 = outcome }
                }
            } catch  where result.withLock({ $0 }) == nil {
                // Without the lock, the operation still runs. Otherwise the vault would keep the
                // tokens of a signed-out user, or lose new ones.
                return try await operation()
            }
            guard let outcome = result.withLock({ $0 }) else { return try await operation() }
            return try outcome.get()
        }
    }

    private func enqueue<Result: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Result
    ) -> Task<Result, any Error> {
        state.withLock { state in
            let last = state.last
            let task = Task.detached {
                await last?.value
                return try await operation()
            }
            state.last = Task.detached { _ = await task.result }
            return task
        }
    }
}

/// The lock of a vault, held until it is released.
struct VaultLease: Sendable {
    private let ending = Outcome<Void>()
    private let holder: Task<Void, Never>

    /// Creates a lease, and returns when the lock is held.
    init(of vault: any TokenVault) async throws {
        let beginning = Outcome<Void>()
        holder = Task.detached { [ending] in
            do {
                try await vault.withLock {
                    beginning.settle(.success(()))
                    try? await ending.value()
                }
                // This has no effect if the body has run.
                beginning.settle(
                    .failure(
                        NetworkError.vaultFailed(
                            """
                            The vault's `withLock(_:)` returned without running its body. Implement it so that it runs \
                            the body.
                            """,
                            cause: nil
                        )
                    )
                )
            } catch {
                beginning.settle(.failure(error))
            }
        }
        try await beginning.value()
    }

    /// Releases the lock; when this function returns, others can take it.
    func end() async {
        ending.settle(.success(()))
        await holder.value
    }
}

extension NetworkTokens {
    fileprivate func isOfSession(of other: NetworkTokens) -> Bool {
        (history ?? TokenHistory(beginningWith: self)).session
            == (other.history ?? TokenHistory(beginningWith: other)).session
    }

    fileprivate var generation: Int { history?.generation ?? 0 }
}
