import BackplaneFeatures
import CampusModels
import Observation
import Screens

/// The to-dos of a course.
///
/// The user can tick each to-do. The change is visible at once, while it is sent to the server.
@Observable
final class TodoList {
    struct Model: Sendable {
        let canChange: Bool
        let todos: [TodoModel]
        let changes: ChangeModel?
    }

    struct TodoModel: Sendable {
        let title: String
        let isDone: Bool
        /// Whether the server has not confirmed the shown value yet.
        let isUnsaved: Bool
        let id: String
    }

    private static let noSuchTodo = DisplayError("This to-do no longer exists.")

    let todos: Loader<Course.ID, [Todo]>
    private let course: Course.ID
    private let change: CourseModule.ChangeTodo?
    private let startTask: (@escaping () async -> Void) -> Void
    private let onChange: () -> Void
    /// The number of running changes.
    private var changing = 0

    init(
        course: Course.ID,
        todos: Loader<Course.ID, [Todo]>,
        change: CourseModule.ChangeTodo?,
        startTask: @escaping (@escaping () async -> Void) -> Void,
        onChange: @escaping () -> Void
    ) {
        self.course = course
        self.todos = todos
        self.change = change
        self.startTask = startTask
        self.onChange = onChange
    }

    /// Whether a change is still running, and is neither confirmed nor rejected.
    var isBusy: Bool { changing > 0 }

    var section: Section {
        Section(id: "to-dos", template: "course/to-dos", loader: todos) { todos in
            let pending = self.todos.pending
            let unsaved = Set(pending.filter { $0.status != .failed }.map(\.label))
            return Model(
                canChange: self.change != nil,
                todos: todos.map { todo in
                    TodoModel(
                        title: todo.title,
                        isDone: todo.isDone,
                        isUnsaved: unsaved.contains(todo.id.rawValue),
                        id: todo.id.rawValue
                    )
                },
                changes: ChangeModel(pending)
            )
        }
    }

    func handle(_ event: ScreenEvent) {
        switch event.name {
        case "tick": set(isDone: true, event["todo"])
        case "untick": set(isDone: false, event["todo"])
        default: _ = todos.handleChange(event)
        }
    }

    private func set(isDone: Bool, _ todo: String?) {
        guard let todo = todo.map(Todo.ID.init(rawValue:)), let change else { return }
        let course = course
        let mutation = Mutation<[Todo]>(label: todo.rawValue) { todos in
            guard let index = todos.firstIndex(where: { $0.id == todo }) else {
                throw Self.noSuchTodo
            }
            todos[index].isDone = isDone
        } send: { key in
            try await change(todo, course, TodoChange(isDone: isDone), key)
        } merging: { changed, todos in
            guard let index = todos.firstIndex(where: { $0.id == todo }) else { throw Self.noSuchTodo }
            todos[index] = changed
        }
        changing += 1
        startTask {
            do {
                try await self.todos.mutate(mutation)
                self.onChange()
            } catch {
                // The pending mutations of the loader show the outcome.
            }
            self.changing -= 1
        }
    }
}
