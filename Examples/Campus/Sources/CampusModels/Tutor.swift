/// Who teaches a course.
public struct Tutor: Codable, Hashable, Sendable, Identifiable {
    /// What identifies a tutor.
    public struct ID: StringIdentifier {
        /// The identity as it is written.
        public let rawValue: String

        /// The identity written as `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// What identifies this tutor.
    public let id: ID
    /// The name to show.
    public let name: String
    /// Where to write to.
    public let email: String
    /// When the tutor can be visited, as text.
    public let officeHours: String

    /// A tutor as the API knows them.
    public init(id: ID, name: String, email: String, officeHours: String) {
        self.id = id
        self.name = name
        self.email = email
        self.officeHours = officeHours
    }
}
