import Backplane
import BackplaneFeatures
import CampusModels
import CourseInterface
import DashboardInterface
import Screens

/// A board with one course screen; the board and the screen end together.
final class CourseBoard: Board {
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
            // The dashboard, if there is one, shows the number of open to-dos.
            onChange: { [slot] in slot.send(.weekChanged, to: .dashboard) }
        )
        let screen = CourseScreen(id: id, loading: loading, todos: todos)
        screen.load(on: slot.owner)
        self.screen = screen
        pair(with: navigation.push(screen))
    }

    /// Closes the screen, also when the session ends.
    func didEnd(_ completion: Completion) {
        if let screen { navigation.dismiss(screen) }
    }
}
