internal import BackplaneConcurrency

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
