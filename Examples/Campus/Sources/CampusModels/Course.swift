/// A course of the campus, without its sections: tutor, schedule and to-dos are loaded by the course's ID.
public struct Course: Codable, Hashable, Sendable, Identifiable {
    /// What identifies a course; it is also what a deep link carries.
    public struct ID: StringIdentifier {
        /// The identity as it is written.
        public let rawValue: String

        /// The identity written as `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// What identifies this course.
    public let id: ID
    /// The title to show.
    public let title: String
    /// What the course is about, in a sentence or two.
    public let summary: String

    /// A course as the API knows it.
    public init(id: ID, title: String, summary: String) {
        self.id = id
        self.title = title
        self.summary = summary
    }
}
