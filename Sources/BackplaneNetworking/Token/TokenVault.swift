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
/// ``MemoryTokenVault`` ships here, `SQLiteTokenVault` in `BackplaneStorage`; on Apple platforms a vault over the Keychain
/// is the one to write.
public protocol TokenVault: Sendable {
    /// The tokens last saved, or `nil` if there are none.
    func load() async throws -> NetworkTokens?

    /// Replaces what is kept; on return it is durable.
    func save(_ tokens: NetworkTokens) async throws

    /// Removes what is kept; with nothing there, does nothing.
    func clear() async throws
}
