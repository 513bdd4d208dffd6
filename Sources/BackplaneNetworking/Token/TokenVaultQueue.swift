internal import BackplaneConcurrency

/// Carries out the operations on a vault one after another, in the order in which they were asked for.
///
/// The order is the point: signing out while a refresh is being saved must leave the vault empty. An operation, once
/// asked for, is carried out whatever becomes of the task that asked.
///
/// Others may share the vault. What they did is seen by comparison, and is never overwritten or cleared on behalf of a
/// session that it has replaced.
final class TokenVaultQueue: Sendable {
    /// What others have made of a session's tokens.
    enum Finding: Sendable {
        /// Nothing: the vault holds them, or older ones, or has never held any.
        case unchanged
        /// They have been refreshed.
        case refreshed(NetworkTokens)
        /// Somebody signed out, or another user in.
        case ended
    }

    private struct State {
        var last: Task<Void, Never>?
        /// Whether the vault has held tokens of the session, so that not finding any means something.
        var hasHeldTokens: Bool
    }

    private let vault: any TokenVault
    private let state: Locked<State>

    /// A queue for the vault of a session with `tokens`.
    init(_ vault: any TokenVault, tokens: NetworkTokens) {
        self.vault = vault
        // What has a history comes from the vault.
        state = Locked(State(hasHeldTokens: tokens.history != nil))
    }

    func withLock(_ body: @escaping @Sendable () async -> Void) async throws {
        try await vault.withLock(body)
    }

    /// Looks what others made of `tokens`.
    func compare(with tokens: NetworkTokens) -> Task<Finding, any Error> {
        enqueue { try await self.finding(comparing: tokens) }
    }

    /// Saves `tokens` if others have left `predecessor`, which they succeed, alone; says what they did otherwise.
    func save(_ tokens: NetworkTokens, succeeding predecessor: NetworkTokens) -> Task<Finding, any Error> {
        enqueue {
            let finding = try await self.finding(comparing: predecessor)
            if case .unchanged = finding { try await self.save(tokens) }
            return finding
        }
    }

    /// Saves the tokens of who has just signed in.
    func saveFirst(_ tokens: NetworkTokens) -> Task<Void, any Error> {
        enqueue {
            self.state.withLock { $0.hasHeldTokens = false }
            try await self.save(tokens)
        }
    }

    /// Removes `tokens` and what descends from them, but nobody else's.
    func clear(_ tokens: NetworkTokens) -> Task<Void, any Error> {
        enqueue {
            // What cannot be read is cleared, too.
            if let stored = try? await self.vault.load(), !stored.isOfSession(of: tokens) { return }
            try await self.vault.clear()
            self.state.withLock { $0.hasHeldTokens = false }
        }
    }

    private func save(_ tokens: NetworkTokens) async throws {
        try await vault.save(tokens)
        state.withLock { $0.hasHeldTokens = true }
    }

    private func finding(comparing tokens: NetworkTokens) async throws -> Finding {
        guard let stored = try await vault.load(), stored.isOfSession(of: tokens) else {
            // If they were never in it, nobody has taken them out.
            return state.withLock { $0.hasHeldTokens } ? .ended : .unchanged
        }
        state.withLock { $0.hasHeldTokens = true }
        return stored.generation > tokens.generation ? .refreshed(stored) : .unchanged
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

extension NetworkTokens {
    fileprivate func isOfSession(of other: NetworkTokens) -> Bool {
        (history ?? TokenHistory(beginningWith: self)).session
            == (other.history ?? TokenHistory(beginningWith: other)).session
    }

    fileprivate var generation: Int { history?.generation ?? 0 }
}
