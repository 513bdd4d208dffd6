/// Somebody a user can write to: a tutor of one of their courses, or a student of one.
public struct Contact: Codable, Hashable, Sendable, Identifiable {
    /// What identifies a contact.
    public struct ID: StringIdentifier {
        /// The identity as it is written.
        public let rawValue: String

        /// The identity written as `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// How the user knows a contact.
    public enum Role: String, Codable, Hashable, Sendable, CaseIterable {
        case student, tutor
    }

    /// What identifies this contact.
    public let id: ID
    /// The name to show.
    public let name: String
    /// How the user knows them.
    public let role: Role

    /// A contact as the API knows them.
    public init(id: ID, name: String, role: Role) {
        self.id = id
        self.name = name
        self.role = role
    }
}
