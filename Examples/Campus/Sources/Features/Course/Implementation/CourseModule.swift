public import Backplane
public import BackplaneFeatures
public import CampusModels
import CourseInterface
public import Screens

/// The course feature.
public struct CourseModule: BoardModule {
    /// Tells the server of a change of a to-do, as often as it takes, with the same key.
    public typealias ChangeTodo = (Todo.ID, Course.ID, TodoChange, IdempotencyKey) async throws -> Void

    private let navigation: Navigation
    private let loading: CourseLoading
    private let changeTodo: ChangeTodo?
    private let todos: RecordStore<Course.ID, [Todo]>

    /// The feature.
    ///
    /// - Parameters:
    ///   - navigation: where the screen is shown.
    ///   - loading: brings the course and its sections.
    ///   - changeTodo: ticks a to-do at the server, or takes that back. Without it to-dos can only be read.
    ///   - todos: keeps the to-dos of the window, and decides which errors of `changeTodo` undo a tick; by default a
    ///     ``DisplayError`` that is a rejection does.
    public init(
        navigation: Navigation,
        loading: CourseLoading,
        changeTodo: ChangeTodo? = nil,
        todos: RecordStore<Course.ID, [Todo]> = RecordStore(isRejection: DisplayError.isRejection)
    ) {
        self.navigation = navigation
        self.loading = loading
        self.changeTodo = changeTodo
        self.todos = todos
    }

    /// Registers the course board and its link.
    public func register(on motherboard: Motherboard) {
        motherboard.register(.course, reuse: .perActivation) { slot in
            CourseBoard(slot: slot, navigation: navigation, loading: loading, todos: todos, changeTodo: changeTodo)
        }
        motherboard.registerLink("course/{id}", to: .course)
    }
}

/// One course on the screen; the two are a pair, and end together.
private struct CourseBoard: Board {
    let slot: Slot<CoursePage>
    let navigation: Navigation
    let loading: CourseLoading
    let todos: RecordStore<Course.ID, [Todo]>
    let changeTodo: CourseModule.ChangeTodo?

    func activate(with id: Course.ID) {
        let todos = TodoList(
            course: id,
            todos: Loader(store: todos, loading.todos),
            change: changeTodo,
            startTask: { slot.task($0) }
        )
        let screen = CourseScreen(id: id, loading: loading, todos: todos)
        screen.load(on: slot.owner)
        pair(with: navigation.push(screen))
    }
}
