public import Backplane
public import BackplaneFeatures
public import BackplaneNavigation
public import CampusModels
import CourseInterface
public import CourseModels
import DashboardInterface
public import Screens

/// The course feature.
public struct CourseModule: BoardModule {
    /// A closure that sends a change of a to-do to the server; each retry uses the same key.
    public typealias ChangeTodo = TodoList.Change

    private let navigator: ScreenNavigator
    private let loading: CourseLoading
    private let changeTodo: ChangeTodo?
    private let todos: RecordStore<Course.ID, [Todo]>

    /// Creates the feature.
    ///
    /// - Parameters:
    ///   - navigator: the navigator that shows the screen.
    ///   - loading: loads the course and its sections.
    ///   - changeTodo: marks a to-do as done or open on the server, and returns the changed to-do.
    ///     Without this closure, to-dos are read-only.
    ///   - todos: the store of the window's to-dos. It decides which errors of `changeTodo` undo a
    ///     change; by default, the refusals of the server do.
    public init(
        navigator: ScreenNavigator,
        loading: CourseLoading,
        changeTodo: ChangeTodo? = nil,
        todos: RecordStore<Course.ID, [Todo]> = RecordStore()
    ) {
        self.navigator = navigator
        self.loading = loading
        self.changeTodo = changeTodo
        self.todos = todos
    }

    /// Registers the course board.
    public func register(on motherboard: Motherboard) {
        // Sent by the motherboard and not by the board, whose slot sends nothing after the board
        // has ended: a change may be confirmed later.
        let onChange: () -> Void = { [weak motherboard] in
            // The dashboard, if there is one, shows the number of open to-dos.
            motherboard?.send(.weekChanged, to: .dashboard)
        }
        motherboard.register(.course, reuse: .perActivation) { slot in
            CourseBoard(
                slot: slot,
                navigator: navigator,
                loading: loading,
                todos: todos,
                changeTodo: changeTodo,
                onChange: onChange
            )
        }
    }
}
