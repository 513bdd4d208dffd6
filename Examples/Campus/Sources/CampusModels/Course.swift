/// A course of the campus, without its sections.
///
/// The tutor, the schedule and the to-dos are loaded by the course's ID.
public struct Course: Codable, Hashable, Sendable, Identifiable {
    /// The ID of a course, which also occurs in deep links.
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
    /// The title to show.
    public let title: String
    /// The subject of the course, in one or two sentences.
    public let summary: String

    /// Creates a course, as in the API.
    public init(id: ID, title: String, summary: String) {
        self.id = id
        self.title = title
        self.summary = summary
    }
}
