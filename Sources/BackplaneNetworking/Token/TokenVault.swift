/// Where a session keeps its tokens between two runs of the app.
///
/// One vault holds the tokens of one account. A session calls it one operation at a time and in order: what is cleared
/// when the user signs out cannot be brought back by a save that began earlier. An app reads it once, at launch:
///
/// ```swift
/// if let tokens = try await vault.load() {
///     let account = AuthenticatedNetworkController(over: service, tokens: tokens, vault: vault) { .refresh($0) }
/// }
/// ```
///
/// ``MemoryTokenVault`` and ``FileTokenVault`` ship here, `SQLiteTokenVault` in `BackplaneStorage`; on Apple platforms a vault
/// over the Keychain is the one to write, for which <doc:SessionsAndRefresh> has a recipe. A vault of one's own keeps the
/// encoded tokens whole rather than their parts: what one run of the app notes for the next is among them.
public protocol TokenVault: Sendable {
    /// The tokens last saved, or `nil` if there are none.
    func load() async throws -> NetworkTokens?

    /// Replaces what is kept; on return it is durable.
    func save(_ tokens: NetworkTokens) async throws

    /// Removes what is kept; with nothing there, does nothing.
    func clear() async throws

    /// Runs `body` while nobody else who shares the tokens, above all no other process, runs a body of theirs.
    ///
    /// A session refreshes its tokens in here, so that processes which share a vault refresh once between them: whoever
    /// comes second finds the new tokens. What is locked must become free when the process that locked it dies.
    ///
    /// A vault that no other process uses needs none: unless implemented, this only runs `body`.
    ///
    /// - Throws: why the lock cannot be had; `body` has not been run then, and the session runs it without.
    func withLock(_ body: @escaping @Sendable () async -> Void) async throws

    /// Runs `body` while nobody else who shares the tokens, above all no other process, runs a body of theirs in here.
    ///
    /// A session compares what the vault holds and changes it in here, so that a process that saves new tokens and another
    /// that signs out at the same moment leave no tokens behind. It is held for as long as that takes, and no request is
    /// sent meanwhile; ``withLock(_:)`` is another lock, and the session may hold it or not.
    ///
    /// ``load()``, ``save(_:)`` and ``clear()`` are called in `body`. They must not take this lock themselves, or they would wait
    /// for it until the session gives up.
    ///
    /// A vault that no other process uses needs none: unless implemented, this only runs `body`.
    ///
    /// - Throws: why the lock cannot be had; `body` has not been run then, and the session runs it without.
    func withWriteLock(_ body: @escaping @Sendable () async -> Void) async throws
}

extension TokenVault {
    /// Runs `body`, for a vault that is not shared.
    public func withLock(_ body: @escaping @Sendable () async -> Void) async throws {
        await body()
    }

    /// Runs `body`, for a vault that is not shared.
    public func withWriteLock(_ body: @escaping @Sendable () async -> Void) async throws {
        await body()
    }
}

/// A vault that forgets when the app ends: for tests, previews, and sessions that are meant to be short.
public actor MemoryTokenVault: TokenVault {
    private var tokens: NetworkTokens?

    /// A vault that holds `tokens`, by default none.
    public init(_ tokens: NetworkTokens? = nil) {
        self.tokens = tokens
    }

    /// The tokens last saved, or `nil` if there are none.
    public func load() -> NetworkTokens? { tokens }

    /// Replaces what is kept.
    public func save(_ tokens: NetworkTokens) { self.tokens = tokens }

    /// Removes what is kept.
    public func clear() { tokens = nil }
}
