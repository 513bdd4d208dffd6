import Logging

/// An event that matters for security, and its outcome.
struct SecurityEvent: Hashable, Sendable {
    let name: String
    let verdict: String
    let level: Logger.Level

    private init(_ name: String, _ verdict: String, level: Logger.Level = .notice) {
        self.name = name
        self.verdict = verdict
        self.level = level
    }

    static let loginSucceeded = Self("login", "succeeded", level: .info)
    static let loginFailed = Self("login", "failed")
    /// There were too many attempts of one kind.
    static let loginThrottled = Self("login", "throttled", level: .warning)
    /// The queue of passwords to check is full.
    static let loginDeferred = Self("login", "deferred", level: .warning)
    /// A used refresh token was used again, so its session has ended.
    static let refreshReused = Self("refresh", "reused", level: .warning)
    static let sessionEnded = Self("session", "ended", level: .info)
    static let textRefused = Self("text", "refused")
    static let bodyTooLarge = Self("body", "refused")
    /// The token is not valid, or the user has no access to the resource.
    static let accessRefused = Self("access", "refused")
    /// A client claims to be the app and is not.
    static let wrongAppKey = Self("app-key", "refused", level: .warning)
}
