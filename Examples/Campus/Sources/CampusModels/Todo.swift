/// A to-do of a user for a course.
public struct Todo: Codable, Hashable, Sendable, Identifiable {
    /// The ID of a to-do.
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
    /// The title.
    public let title: String
    /// Whether this user has ticked the to-do.
    public var isDone: Bool
    /// The server's revision of this user's to-do, which grows by one with each change.
    public var rev: Int

    /// Creates a to-do, as in the API.
    public init(id: ID, title: String, isDone: Bool, rev: Int) {
        self.id = id
        self.title = title
        self.isDone = isDone
        self.rev = rev
    }
}
