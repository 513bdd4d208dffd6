internal import BackplaneConcurrency
internal import BackplaneNetworking

/// A vault that keeps the tokens of a sign-in in memory until the sign-in succeeds, and from
/// then on is the vault of the session.
///
/// A sign-in that fails therefore never touches the vault of the session. The tokens may be
/// refreshed while the user is loaded, so the session takes the newest ones from here.
final class StagedVault: TokenVault {
    private struct State: Sendable {
        var tokens: NetworkTokens?
        var isOpen = false
    }

    private let state: Locked<State>
    private let vault: any TokenVault

    /// Creates a vault with the tokens of a sign-in, in front of the vault of the session.
    init(_ tokens: NetworkTokens, before vault: any TokenVault) {
        state = Locked(State(tokens: tokens))
        self.vault = vault
    }

    /// The newest tokens of the sign-in, or `nil` if the server has refused them.
    var tokens: NetworkTokens? { state.withLock { $0.tokens } }

    /// Passes all later calls to the vault of the session.
    func open() {
        state.withLock { $0 = State(tokens: nil, isOpen: true) }
    }

    private var isOpen: Bool { state.withLock { $0.isOpen } }

    func load() async throws -> NetworkTokens? {
        isOpen ? try await vault.load() : tokens
    }

    func save(_ tokens: NetworkTokens) async throws {
        let isStaged = state.withLock { state in
            if !state.isOpen { state.tokens = tokens }
            return !state.isOpen
        }
        if !isStaged { try await vault.save(tokens) }
    }

    func clear() async throws {
        let isStaged = state.withLock { state in
            if !state.isOpen { state.tokens = nil }
            return !state.isOpen
        }
        if !isStaged { try await vault.clear() }
    }

    func withLock(_ body: @escaping @Sendable () async -> Void) async throws {
        if isOpen { try await vault.withLock(body) } else { await body() }
    }

    func withWriteLock(_ body: @escaping @Sendable () async -> Void) async throws {
        if isOpen { try await vault.withWriteLock(body) } else { await body() }
    }
}
