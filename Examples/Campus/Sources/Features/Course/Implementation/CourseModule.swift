public import Backplane
public import BackplaneFeatures
public import CampusModels
import CourseInterface
public import Screens

/// The course feature.
public struct CourseModule: BoardModule {
    /// A closure that sends a change of a to-do to the server; each retry uses the same key.
    public typealias ChangeTodo = (Todo.ID, Course.ID, TodoChange, IdempotencyKey) async throws -> Todo

    private let navigation: Navigation
    private let loading: CourseLoading
    private let changeTodo: ChangeTodo?
    private let todos: RecordStore<Course.ID, [Todo]>

    /// Creates the feature.
    ///
    /// - Parameters:
    ///   - navigation: the navigation that shows the screen.
    ///   - loading: loads the course and its sections.
    ///   - changeTodo: marks a to-do as done or open on the server, and returns the changed to-do.
    ///     Without this closure, to-dos are read-only.
    ///   - todos: the store of the window's to-dos. It decides which errors of `changeTodo` undo a
    ///     change; by default, only a ``DisplayError`` that is a rejection does.
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
