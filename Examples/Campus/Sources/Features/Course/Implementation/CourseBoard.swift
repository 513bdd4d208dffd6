import Backplane
import BackplaneFeatures
import BackplaneNavigation
import CampusModels
import CourseInterface
import CourseModels
import Screens

/// A board with one course screen; the board and the screen end together.
final class CourseBoard: Board {
    let slot: Slot<CoursePage>
    private let navigator: ScreenNavigator
    private let loading: CourseLoading
    private let todos: RecordStore<Course.ID, [Todo]>
    private let changeTodo: CourseModule.ChangeTodo?
    private let onChange: () -> Void

    /// Creates the board.
    ///
    /// - Parameters:
    ///   - slot: the slot of the board.
    ///   - navigator: the navigator that shows the screen.
    ///   - loading: loads the course and its sections.
    ///   - todos: the store of the window's to-dos.
    ///   - changeTodo: sends a change of a to-do; `nil` if to-dos are read-only.
    ///   - onChange: called after the server has confirmed a change, also after the board's end.
    init(
        slot: Slot<CoursePage>,
        navigator: ScreenNavigator,
        loading: CourseLoading,
        todos: RecordStore<Course.ID, [Todo]>,
        changeTodo: CourseModule.ChangeTodo?,
        onChange: @escaping () -> Void
    ) {
        self.slot = slot
        self.navigator = navigator
        self.loading = loading
        self.todos = todos
        self.changeTodo = changeTodo
        self.onChange = onChange
    }

    func activate(with id: Course.ID) {
        let todos = TodoList(
            course: id,
            todos: Loader(store: todos, loading.todos),
            change: changeTodo,
            onChange: onChange
        )
        let screen = CourseModel(id: id, loading: loading, todos: todos)
        screen.load(on: slot.owner)
        pair(with: navigator.push(screen))
    }
}
