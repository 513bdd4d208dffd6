/// One session of a user, on one client.
public struct DeviceSession: Codable, Hashable, Sendable, Identifiable {
    /// The ID of a session, which is not a credential.
    public struct ID: StringIdentifier {
        /// The ID as text.
        public let rawValue: String

        /// Creates the ID with the text `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The ID.
    public let id: ID
    /// The user's client, for example `Firefox on Linux`; `nil` if it is unknown.
    public let label: String?
    /// The time of the sign-in.
    public let begunAt: Timestamp
    /// The time when the session last received tokens.
    ///
    /// The session's last use is not later than the expiry of these tokens.
    public let refreshedAt: Timestamp
    /// Whether this session sent the request.
    public let isCurrent: Bool

    /// Creates a session, as in the API.
    public init(id: ID, label: String?, begunAt: Timestamp, refreshedAt: Timestamp, isCurrent: Bool) {
        self.id = id
        self.label = label
        self.begunAt = begunAt
        self.refreshedAt = refreshedAt
        self.isCurrent = isCurrent
    }
}
