/// A line of the public catalogue: what anybody may know about a course.
public struct CatalogueEntry: Codable, Hashable, Sendable, Identifiable {
    /// What identifies the course.
    public let id: Course.ID
    /// The course's title.
    public let title: String

    /// A line of the catalogue.
    public init(id: Course.ID, title: String) {
        self.id = id
        self.title = title
    }
}
