import Foundation

/// Counts the attempts to log in as one user from one address, and refuses those that come too fast.
///
/// The count includes attempts that are still being checked, so parallel guesses gain nothing. A success forgets the
/// attempts before it; a refused attempt does not count, so a user is never locked out for longer than the window.
actor LoginThrottle {
    /// Who tries, and from where.
    struct Key: Hashable {
        let email: String
        let address: String
    }

    /// How many keys are kept before those without a recent attempt are thrown away.
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
    /// - Throws: 429 with the time to wait when there were too many.
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

    /// Forgets the attempts of a user who got in.
    func forgive(_ key: Key) {
        recent[key] = nil
    }
}
