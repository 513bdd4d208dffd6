public import BackplaneFeatures
public import CampusModels
public import Observation
import Screens

/// The to-dos of a course.
///
/// The user can tick each to-do. The change is visible at once, while it is sent to the server.
@Observable
public final class TodoList {
    /// A closure that sends a change of a to-do to the server; each retry uses the same key.
    public typealias Change = (Todo.ID, Course.ID, TodoChange, IdempotencyKey) async throws -> Todo

    /// The to-dos, and the changes that the server has not confirmed or has rejected.
    public let todos: Loader<Course.ID, [Todo]>
    private let course: Course.ID
    private let change: Change?
    private let onChange: () -> Void

    /// Creates the to-dos of a course; they do not load yet.
    ///
    /// - Parameters:
    ///   - course: the ID of the course.
    ///   - todos: the loader of the to-dos.
    ///   - change: marks a to-do as done or open on the server, and returns the changed to-do.
    ///     Without this closure, to-dos are read-only.
    ///   - onChange: called after the server has confirmed a change, also if the screen has closed
    ///     by then.
    public init(
        course: Course.ID,
        todos: Loader<Course.ID, [Todo]>,
        change: Change?,
        onChange: @escaping () -> Void
    ) {
        self.course = course
        self.todos = todos
        self.change = change
        self.onChange = onChange
    }

    /// Whether the user can tick to-dos.
    public var canChange: Bool { change != nil }

    /// Whether a change is being sent.
    public var isBusy: Bool { todos.pending.contains { $0.status == .sending } }

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
        guard let change else { return }
        let (course, onChange) = (course, onChange)
        let mutation = Mutation<[Todo]>.update(todo) {
            $0.isDone = isDone
        } send: { key -> Todo in
            let changed = try await change(todo, course, TodoChange(isDone: isDone), key)
            onChange()
            return changed
        } confirming: { changed in
            changed
        }
        // A list that is not loaded shows no to-do to tick.
        try? todos.enqueue(mutation)
    }
}
