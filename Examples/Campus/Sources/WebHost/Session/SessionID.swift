/// A session's lasting identity: the same when its cookie is renewed, and when the host starts again over the same store.
///
/// An app keeps under it what is to come back with the session. Nobody gets in with it: it is no secret.
public struct SessionID: Hashable, Sendable, Codable, RawRepresentable, CustomStringConvertible {
    /// The identity as text, in hexadecimal digits.
    public let rawValue: String

    /// The identity that reads `rawValue`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A new one.
    static func random() -> SessionID { SessionID(rawValue: Secret.random().digits) }

    /// The text.
    public var description: String { rawValue }
}
