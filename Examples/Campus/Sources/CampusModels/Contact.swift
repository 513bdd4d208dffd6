/// A contact that a user can write to: a tutor of one of their courses, or another student in one.
public struct Contact: Codable, Hashable, Sendable, Identifiable {
    /// The ID of a contact.
    public struct ID: StringIdentifier {
        /// The ID as text.
        public let rawValue: String

        /// Creates the ID with the text `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The user's relation to a contact.
    public enum Role: String, Codable, Hashable, Sendable, CaseIterable {
        case student, tutor
    }

    /// The ID.
    public let id: ID
    /// The name to show.
    public let name: String
    /// The user's relation to this contact.
    public let role: Role

    /// Creates a contact, as in the API.
    public init(id: ID, name: String, role: Role) {
        self.id = id
        self.name = name
        self.role = role
    }
}

extension [Contact] {
    /// The names of the contacts as a text for the user: `Ada Lovelace, Grace Hopper`.
    public var names: String { map(\.name).joined(separator: ", ") }
}
