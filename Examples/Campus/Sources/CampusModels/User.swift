/// A user who can sign in.
public struct User: Codable, Hashable, Sendable, Identifiable {
    /// The ID of a user.
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
    /// The name to show.
    public let name: String
    /// The e-mail address for the sign-in.
    public let email: String

    /// Creates a user, as in the API.
    public init(id: ID, name: String, email: String) {
        self.id = id
        self.name = name
        self.email = email
    }
}
