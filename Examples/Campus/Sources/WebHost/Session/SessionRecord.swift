import Foundation

/// The stored part of a session.
struct SessionRecord: Codable, Equatable {
    /// The fingerprint of the session's cookie.
    var cookie: String
    /// The time of the last use, or slightly earlier, because not every use is stored.
    var usedAt: Date
}
