/// Which tokens: whose (the epoch) and which of theirs (the generation).
struct TokenStamp: Hashable, Sendable {
    let epoch: Int
    let generation: Int
}

/// A token to send with a request, and which one it is.
struct TokenCredential: Sendable {
    let stamp: TokenStamp
    let access: AccessToken
}

/// A refresh to be carried out: what to replace, and what to pay with.
struct TokenRefresh: Sendable {
    let stamp: TokenStamp
    let token: RefreshToken
}
