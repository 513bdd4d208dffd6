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
    private let clock: any Clock<Duration>

    /// The feature.
    ///
    /// - Parameters:
    ///   - navigation: where the screen is shown.
    ///   - loading: brings the course and its sections.
    ///   - changeTodo: ticks a to-do at the server, or takes that back; a ``DisplayError`` that is a rejection undoes it on the
    ///     screen. Without it to-dos can only be read.
    ///   - clock: what passes before a change that had no answer is sent again.
    public init(
        navigation: Navigation,
        loading: CourseLoading,
        changeTodo: ChangeTodo? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.navigation = navigation
        self.loading = loading
        self.changeTodo = changeTodo
        self.clock = clock
    }

    /// Registers the course board and its link.
    public func register(on motherboard: Motherboard) {
        // The window's: a tick is on its way still when its screen has left, and to be seen when the course is opened again.
        let todos = RecordStore<Course.ID, [Todo]>(isRejection: DisplayError.isRejection, clock: clock)
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
