/// A tutor of a course.
public struct Tutor: Codable, Hashable, Sendable, Identifiable {
    /// The ID of a tutor.
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
    /// The e-mail address.
    public let email: String
    /// The office hours, as text.
    public let officeHours: String

    /// Creates a tutor, as in the API.
    public init(id: ID, name: String, email: String, officeHours: String) {
        self.id = id
        self.name = name
        self.email = email
        self.officeHours = officeHours
    }
}
