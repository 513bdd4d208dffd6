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

/// A refresh to be carried out: which tokens it is to replace, and how many before it failed in a row.
struct TokenRefresh: Sendable {
    let stamp: TokenStamp
    let failures: Int
}
