/// A session's permanent ID, which stays the same when the cookie is renewed or the host restarts.
///
/// An app stores data under this ID that must come back with the session. The ID is not a secret,
/// because it gives no access.
public struct SessionID: Hashable, Sendable, Codable, RawRepresentable, CustomStringConvertible {
    /// The ID as text, in hexadecimal digits.
    public let rawValue: String

    /// Creates an ID from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Returns a new ID.
    static func random() -> SessionID { SessionID(rawValue: Secret.random().digits) }

    /// The ID as text.
    public var description: String { rawValue }
}
