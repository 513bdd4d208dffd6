/// Somebody who can log in.
public struct User: Codable, Hashable, Sendable, Identifiable {
    /// What identifies a user.
    public struct ID: StringIdentifier {
        /// The identity as it is written.
        public let rawValue: String

        /// The identity written as `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// What identifies this user.
    public let id: ID
    /// The name to show.
    public let name: String
    /// The address the user logs in with.
    public let email: String

    /// A user as the API knows them.
    public init(id: ID, name: String, email: String) {
        self.id = id
        self.name = name
        self.email = email
    }
}
