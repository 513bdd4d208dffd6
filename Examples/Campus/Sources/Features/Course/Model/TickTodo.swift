public import BackplaneFeatures
public import CampusModels

/// A change of a to-do, which is done or open afterwards.
public struct TickTodo: RecordChange {
    /// The ID of the to-do.
    public let todo: Todo.ID
    /// Whether the to-do is done after the change, whatever it was before.
    public let isDone: Bool

    /// Creates a change to this state.
    public init(todo: Todo.ID, isDone: Bool) {
        self.todo = todo
        self.isDone = isDone
    }

    /// The change in the list of the course's to-dos.
    public var intent: Intent<[Todo]> { .update(todo) { $0.isDone = isDone } }
}
