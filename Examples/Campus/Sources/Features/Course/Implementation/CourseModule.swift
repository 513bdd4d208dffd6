public import Backplane
public import BackplaneFeatures
public import CampusModels
import CourseInterface
import DashboardInterface
public import Screens

/// The course feature.
public struct CourseModule: BoardModule {
    /// Tells the server of a change of a to-do, as often as it takes, with the same key.
    public typealias ChangeTodo = (Todo.ID, Course.ID, TodoChange, IdempotencyKey) async throws -> Todo

    private let navigation: Navigation
    private let loading: CourseLoading
    private let changeTodo: ChangeTodo?
    private let todos: RecordStore<Course.ID, [Todo]>

    /// The feature.
    ///
    /// - Parameters:
    ///   - navigation: where the screen is shown.
    ///   - loading: brings the course and its sections.
    ///   - changeTodo: ticks a to-do at the server, or takes that back, and returns it as it is then. Without it to-dos can
    ///     only be read.
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

    /// Registers the course board.
    public func register(on motherboard: Motherboard) {
        motherboard.register(.course, reuse: .perActivation) { slot in
            CourseBoard(slot: slot, navigation: navigation, loading: loading, todos: todos, changeTodo: changeTodo)
        }
    }
}

/// One course on the screen; the two are a pair, and end together.
private final class CourseBoard: Board {
    let slot: Slot<CoursePage>
    private let navigation: Navigation
    private let loading: CourseLoading
    private let todos: RecordStore<Course.ID, [Todo]>
    private let changeTodo: CourseModule.ChangeTodo?
    private var screen: CourseScreen?

    init(
        slot: Slot<CoursePage>,
        navigation: Navigation,
        loading: CourseLoading,
        todos: RecordStore<Course.ID, [Todo]>,
        changeTodo: CourseModule.ChangeTodo?
    ) {
        self.slot = slot
        self.navigation = navigation
        self.loading = loading
        self.todos = todos
        self.changeTodo = changeTodo
    }

    func activate(with id: Course.ID) {
        let todos = TodoList(
            course: id,
            todos: Loader(store: todos, loading.todos),
            change: changeTodo,
            startTask: { [slot] in slot.task($0) },
            // The dashboard, if there is one, counts what is open.
            onChange: { [slot] in slot.send(.weekChanged, to: .dashboard) }
        )
        let screen = CourseScreen(id: id, loading: loading, todos: todos)
        screen.load(on: slot.owner)
        self.screen = screen
        pair(with: navigation.push(screen))
    }

    /// The screen leaves, also when the session ends around it.
    func didEnd(_ completion: Completion) {
        if let screen { navigation.dismiss(screen) }
    }
}
