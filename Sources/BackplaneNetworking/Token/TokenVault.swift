/// A store that keeps the tokens of a session between two runs of the app.
///
/// One vault holds the tokens of one account. A session calls the operations one at a time and in
/// order. A save that began before a sign-out therefore cannot bring cleared tokens back. An app
/// reads the vault once, at launch:
///
/// ```swift
/// if let tokens = try await vault.load() {
///     let account = AuthenticatedNetworkController(over: service, tokens: tokens, vault: vault) {
///         .refresh($0)
///     }
/// }
/// ```
///
/// This module has ``MemoryTokenVault`` and ``FileTokenVault``, and `BackplaneStorage` has
/// `SQLiteTokenVault`. On Apple platforms, use `KeychainTokenVault`: see <doc:SessionsAndRefresh>.
/// If you write a vault, keep all of the encoded tokens. They include notes for the next run of the
/// app.
public protocol TokenVault: Sendable {
    /// Returns the last saved tokens, or `nil` if there are none.
    func load() async throws -> NetworkTokens?

    /// Replaces the stored tokens, and returns when the new ones are durable.
    func save(_ tokens: NetworkTokens) async throws

    /// Removes the stored tokens, if there are any.
    func clear() async throws

    /// Runs `body` while this lock is held by nothing else, such as another process with the same
    /// tokens.
    ///
    /// A session refreshes its tokens in `body`. So if processes share a vault, only one of them
    /// refreshes. The second one finds the new tokens. The lock must become free when the process
    /// that holds it ends.
    ///
    /// A vault that no other process uses needs no lock. The default implementation only runs
    /// `body`.
    ///
    /// - Throws: The reason why the lock is not available. In this case `body` has not run, and the
    ///   session runs it without the lock.
    func withLock(_ body: @escaping @Sendable () async -> Void) async throws

    /// Runs `body` while the write lock is held by nothing else, such as another process with the
    /// same tokens.
    ///
    /// A session compares and changes the contents of the vault in `body`. If one process saves new
    /// tokens while another signs out, no tokens remain. The session holds this lock only for that
    /// time, and sends no request while it holds it. The lock of ``withLock(_:)`` is a different
    /// one. The session may hold both at the same time.
    ///
    /// The session calls ``load()``, ``save(_:)`` and ``clear()`` in `body`. These functions must
    /// not take this lock. Otherwise they would wait for it until the session gives up.
    ///
    /// A vault that no other process uses needs no lock. The default implementation only runs
    /// `body`.
    ///
    /// - Throws: The reason why the lock is not available. In this case `body` has not run, and the
    ///   session runs it without the lock.
    func withWriteLock(_ body: @escaping @Sendable () async -> Void) async throws
}

extension TokenVault {
    /// Runs `body` without a lock, for a vault that is not shared.
    public func withLock(_ body: @escaping @Sendable () async -> Void) async throws {
        await body()
    }

    /// Runs `body` without a lock, for a vault that is not shared.
    public func withWriteLock(_ body: @escaping @Sendable () async -> Void) async throws {
        await body()
    }
}

/// A vault that keeps tokens until the app ends, for tests, previews and short sessions.
public actor MemoryTokenVault: TokenVault {
    private var tokens: NetworkTokens?

    /// Creates a vault that holds `tokens`, by default no tokens.
    public init(_ tokens: NetworkTokens? = nil) {
        self.tokens = tokens
    }

    /// Returns the last saved tokens, or `nil` if there are none.
    public func load() -> NetworkTokens? { tokens?.stored }

    /// Replaces the stored tokens.
    public func save(_ tokens: NetworkTokens) { self.tokens = tokens }

    /// Removes the stored tokens.
    public func clear() { tokens = nil }
}
