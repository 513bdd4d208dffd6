import Foundation

/// A limit for log-in attempts for one user from one address.
///
/// The count includes attempts that are still being checked, so parallel guesses gain nothing. A
/// successful log-in clears the count. A refused attempt is not counted, so a user is never locked
/// out for longer than the window.
actor LoginThrottle {
    /// The user and the address of an attempt.
    struct Key: Hashable {
        let email: String
        let address: String
    }

    /// The number of keys above which keys without a recent attempt are removed.
    static let sweepThreshold = 1024

    private let attempts: Int
    private let window: TimeInterval
    private let now: @Sendable () -> Date
    private(set) var recent: [Key: [Date]] = [:]

    init(attempts: Int, window: Duration, now: @escaping @Sendable () -> Date) {
        self.attempts = attempts
        self.window = window / .seconds(1)
        self.now = now
    }

    /// Counts an attempt.
    ///
    /// - Throws: status 429 with the time to wait, if there were too many attempts.
    func admit(_ key: Key) throws {
        let now = now()
        let start = now.addingTimeInterval(-window)
        if recent.count >= Self.sweepThreshold {
            recent = recent.filter { $0.value.contains { $0 > start } }
        }
        let counted = recent[key, default: []].filter { $0 > start }
        if counted.count >= attempts, let first = counted.first {
            throw APIFailure.tooManyAttempts(retryAfter: .seconds(first.timeIntervalSince(start)))
        }
        recent[key] = counted + [now]
    }

    /// Forgets the attempts of a user who logged in.
    func forgive(_ key: Key) {
        recent[key] = nil
    }
}
