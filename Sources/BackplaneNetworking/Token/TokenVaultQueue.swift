internal import BackplaneConcurrency

/// Carries out the operations on a vault one after another, in the order in which they were asked for.
///
/// The order is the point: signing out while a refresh is being saved must leave the vault empty. An operation, once
/// asked for, is carried out whatever becomes of the task that asked.
///
/// Others may share the vault. What they did is seen by comparison, and is never overwritten or cleared on behalf of a
/// session that it has replaced: comparing and changing are one step, under the vault's write lock.
final class TokenVaultQueue: Sendable {
    /// What others have made of a session's tokens.
    enum VaultComparison: Sendable {
        /// Nothing: the vault holds them, or older ones, or has never held any.
        case unchanged
        /// They have been refreshed.
        case refreshed(NetworkTokens)
        /// Somebody signed out, or another user in.
        case ended
    }

    /// How long an answer of the vault is waited for.
    ///
    /// It is carried out, even if it takes longer.
    private static let patience = Duration.seconds(10)
    /// How long a refresh waits for the vault's lock: longer than another process's refresh takes.
    private static let lockPatience = Duration.seconds(90)

    private struct State {
        var last: Task<Void, Never>?
        var content = Content.unrelated
    }

    /// The relation of the vault's content to the session.
    private enum Content {
        /// It has never held tokens of the session, so that not finding any means nothing; what it holds is not replaced.
        case unrelated
        /// It is to hold the tokens of who has signed in, whatever it holds now.
        case awaited
        /// It has held tokens of the session, so that somebody else has taken them out if they are not there.
        case held
    }

    private let vault: any TokenVault
    private let clock: any Clock<Duration>
    private let timer: DeadlineTimer
    private let state = Locked(State())

    /// A queue for the vault of a session with `tokens`.
    init(_ vault: any TokenVault, tokens: NetworkTokens, clock: any Clock<Duration>, timer: DeadlineTimer) {
        self.vault = vault
        self.clock = clock
        self.timer = timer
        // Whether the vault holds them is to be known before somebody else may take them out.
        _ = compare(with: tokens)
    }

    /// Waits for the result of an operation, but not for ever: a vault that hangs must not hold up the session.
    func value<Result: Sendable>(of operation: Task<Result, any Error>) async throws -> Result {
        try await value(of: operation, within: Self.patience)
    }

    private func value<Result: Sendable>(
        of operation: Task<Result, any Error>,
        within patience: Duration
    ) async throws -> Result {
        do {
            return try await Deadline(in: patience, on: clock).limit(by: timer) { try await operation.value }
        } catch let error as NetworkError where error.code == .timedOut {
            throw NetworkError.vaultFailed(
                "The token vault has not answered within \(patience). Look what it waits for.",
                cause: error
            )
        }
    }

    /// Takes the vault's lock for a refresh.
    ///
    /// - Throws: why the lock cannot be had; the refresh may go on without.
    func takeLock() async throws -> VaultLease {
        let taking = Task.detached { [vault] in try await VaultLease(of: vault) }
        do {
            return try await value(of: taking, within: Self.lockPatience)
        } catch {
            // It may still come.
            Task.detached { try await taking.value.end() }
            throw error
        }
    }

    // MARK: Operations

    /// Looks what others made of `tokens`.
    func compare(with tokens: NetworkTokens) -> Task<VaultComparison, any Error> {
        enqueue { self.finding(comparing: tokens, with: try await self.vault.load()) }
    }

    /// Saves `tokens` if others have left `predecessor`, which they succeed, alone; says what they did otherwise.
    ///
    /// Tokens that were never meant to be in the vault do not replace somebody else's.
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

    /// Saves the tokens of who has just signed in.
    func saveFirst(_ tokens: NetworkTokens) -> Task<Void, any Error> {
        enqueueWriting {
            self.state.withLock { $0.content = .awaited }
            try await self.save(tokens)
        }
    }

    /// Removes `tokens` and what descends from them, but nobody else's.
    func clear(_ tokens: NetworkTokens) -> Task<Void, any Error> {
        enqueueWriting {
            // What cannot be read is cleared, too.
            if let stored = try? await self.vault.load(), !stored.isOfSession(of: tokens) { return }
            try await self.vault.clear()
            self.state.withLock { $0.content = .unrelated }
        }
    }

    private func save(_ tokens: NetworkTokens) async throws {
        try await vault.save(tokens)
        state.withLock { $0.content = .held }
    }

    private func finding(comparing tokens: NetworkTokens, with stored: NetworkTokens?) -> VaultComparison {
        guard let stored, stored.isOfSession(of: tokens) else {
            // If they were never in it, nobody has taken them out.
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
                // A lock that cannot be had is no reason to keep the tokens of a user who has signed out, or to lose new ones.
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

/// A vault's lock, held until it is returned.
struct VaultLease: Sendable {
    private let ending = Outcome<Void>()
    private let holder: Task<Void, Never>

    /// Suspends until the lock is held.
    init(of vault: any TokenVault) async throws {
        let beginning = Outcome<Void>()
        holder = Task.detached { [ending] in
            do {
                try await vault.withLock {
                    beginning.settle(.success(()))
                    try? await ending.value()
                }
                // Does nothing where the body has been run.
                beginning.settle(
                    .failure(
                        NetworkError.vaultFailed(
                            "The vault's lock was taken, and nothing was done in it. Have `withLock(_:)` run the body that it is given.",
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

    /// Returns the lock; others may have it when this returns.
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
