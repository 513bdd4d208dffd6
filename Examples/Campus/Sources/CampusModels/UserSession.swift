/// One of the places where a user is logged in.
public struct UserSession: Codable, Hashable, Sendable, Identifiable {
    /// What identifies a session; it gives nobody access to it.
    public struct ID: StringIdentifier {
        /// The identity as it is written.
        public let rawValue: String

        /// The identity written as `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// What identifies this session.
    public let id: ID
    /// What the user logged in with, such as `Firefox on Linux`; nil if it did not say.
    public let label: String?
    /// When the user logged in.
    public let begunAt: Timestamp
    /// When the session last got tokens: it has not been used later than those were valid.
    public let refreshedAt: Timestamp
    /// Whether it is the session that asks.
    public let isCurrent: Bool

    /// A session as the API knows it.
    public init(id: ID, label: String?, begunAt: Timestamp, refreshedAt: Timestamp, isCurrent: Bool) {
        self.id = id
        self.label = label
        self.begunAt = begunAt
        self.refreshedAt = refreshedAt
        self.isCurrent = isCurrent
    }
}
