/// The body of `PUT /courses/{course}/todos/{todo}`.
public struct TodoChange: Codable, Hashable, Sendable {
    /// Whether the to-do is ticked after the change, independent of its previous state.
    public let isDone: Bool

    /// Creates a change to this state.
    public init(isDone: Bool) {
        self.isDone = isDone
    }
}
