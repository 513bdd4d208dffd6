internal import BackplaneConcurrency

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

/// One request of a user, however often it is sent.
final class UserRequest: Sendable {
    /// Whose request it is; settled when it is made, so that it never changes hands.
    let epoch: Int
    private let retry = Locked(true)

    init(epoch: Int) {
        self.epoch = epoch
    }

    /// Whether it may still be sent anew because its token was refused.
    var hasRetry: Bool { retry.withLock { $0 } }

    /// Whether it may be sent anew because its token was refused, which is so once.
    func takeRetry() -> Bool {
        retry.withLock { hasRetry in
            defer { hasRetry = false }
            return hasRetry
        }
    }
}
