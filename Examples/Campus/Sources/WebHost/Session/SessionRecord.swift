import Foundation

/// What of a session is stored.
struct SessionRecord: Codable, Equatable {
    /// The fingerprint of its cookie.
    var cookie: String
    /// When it was used last, or a little earlier: not every use is written down.
    var usedAt: Date
}
