/// The history of tokens, for the processes that share a vault, now or after a restart.
struct TokenHistory: Hashable, Sendable, Codable {
    /// The login that the tokens descend from; it separates them from the newer tokens of another
    /// user.
    let session: String

    /// The number of refreshes since that login; it shows which tokens are newer.
    let generation: Int

    /// Whether a refresh of the tokens has begun, which may have used them up.
    var isBeingRefreshed = false

    /// Whether a vault has held the tokens, so that they count only as long as the vault holds them
    /// (N19); `nil` if that is unknown.
    var wasStored: Bool?

    init(session: String, generation: Int) {
        self.session = session
        self.generation = generation
    }

    /// Creates the history of tokens from a login.
    ///
    /// The session's name is computed from the tokens. Processes that load the same tokens from one
    /// vault therefore compute the same name.
    init(beginningWith tokens: NetworkTokens) {
        let token = tokens.refresh?.rawValue ?? tokens.access.rawValue
        // FNV-1a. The hash may be easy to reverse: a reader of the hash can also read the tokens
        // next to it.
        let hash = token.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        self.init(session: String(hash, radix: 16), generation: 0)
    }
}
