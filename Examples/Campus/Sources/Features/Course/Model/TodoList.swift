public import BackplaneFeatures
public import CampusModels
public import Observation
import Screens

/// The to-dos of a course.
///
/// The user can tick each to-do. The change is visible at once, while it is sent to the server.
@Observable
public final class TodoList {
    /// The to-dos, and the changes that the server has not confirmed or has rejected.
    public let todos: Loader<Course.ID, [Todo]>
    /// Whether the user can tick to-dos.
    public let canChange: Bool

    /// Creates the to-dos of a course; they do not load yet.
    ///
    /// - Parameters:
    ///   - todos: the loader of the to-dos, whose store sends ``TickTodo``.
    ///   - canChange: whether the user can tick to-dos.
    public init(todos: Loader<Course.ID, [Todo]>, canChange: Bool) {
        self.todos = todos
        self.canChange = canChange
    }

    /// Whether the outcome of a change is expected at once.
    public var isBusy: Bool { todos.pending.isBusy }

    /// The to-dos whose shown values the server has not confirmed yet.
    public var unsaved: Set<Todo.ID> {
        let ids = todos.value?.map(\.id) ?? []
        return Set(ids.filter { id in todos.pending(of: id).contains { $0.status != .failed } })
    }

    /// Marks a to-do as done, if to-dos can be changed.
    public func tick(_ todo: Todo.ID) {
        set(isDone: true, todo)
    }

    /// Marks a to-do as open, if to-dos can be changed.
    public func untick(_ todo: Todo.ID) {
        set(isDone: false, todo)
    }

    /// Removes the rejected change with this ID, after the user has read the reason.
    public func dismiss(change id: String) {
        todos.dismiss(change: id)
    }

    /// Resends the unconfirmed changes.
    public func resend() {
        todos.retryPending()
    }

    private func set(isDone: Bool, _ todo: Todo.ID) {
        guard canChange, todos.id != nil else { return }
        todos.dismissRejected(todos.pending(of: todo))
        let title = todos.value?.first { $0.id == todo }?.title
        // It throws without an ID, and if the store sends no ticks: the guard excludes both.
        _ = try? todos.enqueue(TickTodo(todo: todo, isDone: isDone), label: title)
    }
}
