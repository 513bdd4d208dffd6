/// The body of `PUT /courses/{course}/todos/{todo}`.
public struct TodoChange: Codable, Hashable, Sendable {
    /// Whether the to-do is to be ticked, whatever it was.
    public let isDone: Bool

    /// A change to that.
    public init(isDone: Bool) {
        self.isDone = isDone
    }
}
