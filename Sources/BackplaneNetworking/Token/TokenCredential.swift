internal import BackplaneConcurrency

/// The identification of tokens: their user (the epoch) and their refresh (the generation).
struct TokenStamp: Hashable, Sendable {
    let epoch: Int
    let generation: Int
}

/// A token to send with a request, and its stamp.
struct TokenCredential: Sendable {
    let stamp: TokenStamp
    let access: AccessToken
}

/// A refresh to perform: the stamp of the tokens to replace, and the number of failures in a row
/// before it.
struct TokenRefresh: Sendable {
    let stamp: TokenStamp
    let failures: Int
}

/// One request of a user, even if it is sent several times.
final class UserRequest: Sendable {
    /// The epoch of the request's user, fixed when the request is made.
    ///
    /// The request therefore never changes its user.
    let epoch: Int
    private let retry = Locked(true)

    init(epoch: Int) {
        self.epoch = epoch
    }

    /// Whether the request may still be resent after its token is refused.
    var hasRetry: Bool { retry.withLock { $0 } }

    /// Uses up the one resend after a refused token, and returns whether it was still available.
    func takeRetry() -> Bool {
        retry.withLock { hasRetry in
            defer { hasRetry = false }
            return hasRetry
        }
    }
}
