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
