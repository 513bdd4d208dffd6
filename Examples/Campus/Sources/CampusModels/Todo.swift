/// Something a user has to do for a course.
public struct Todo: Codable, Hashable, Sendable, Identifiable {
    /// What identifies a to-do.
    public struct ID: StringIdentifier {
        /// The identity as it is written.
        public let rawValue: String

        /// The identity written as `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// What identifies this to-do.
    public let id: ID
    /// What is to be done.
    public let title: String
    /// Whether this user has ticked it.
    public var isDone: Bool
    /// The server's revision of this user's to-do: it grows by one whenever it is written, so the higher one is the newer.
    public var rev: Int

    /// A to-do as the API knows it.
    public init(id: ID, title: String, isDone: Bool, rev: Int) {
        self.id = id
        self.title = title
        self.isDone = isDone
        self.rev = rev
    }
}
