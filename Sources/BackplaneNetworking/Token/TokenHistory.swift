/// Where tokens come from: what those who share a vault, now or after a restart, tell one another about them.
struct TokenHistory: Hashable, Sendable, Codable {
    /// Which log-in they descend from, so that another user's tokens are not taken for newer ones of this user's.
    let session: String

    /// How many refreshes lie between that log-in and them, so that the newer ones can be told.
    let generation: Int

    /// Whether a refresh of them has begun, which may have used them up.
    var isBeingRefreshed = false

    init(session: String, generation: Int) {
        self.session = session
        self.generation = generation
    }

    /// The history of tokens that logging in brought.
    ///
    /// The session's name follows from them, so that processes which load them from one vault give it the same.
    init(beginningWith tokens: NetworkTokens) {
        let token = tokens.refresh?.rawValue ?? tokens.access.rawValue
        // FNV-1a. It need not be hard to reverse: whoever can read it can read the tokens beside it.
        let hash = token.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        self.init(session: String(hash, radix: 16), generation: 0)
    }
}
