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
    private let todos: RecordStore<Course.ID, [Todo]>?

    init(
        slot: Slot<CoursePage>,
        navigator: ScreenNavigator,
        loading: CourseLoading,
        todos: RecordStore<Course.ID, [Todo]>?
    ) {
        self.slot = slot
        self.navigator = navigator
        self.loading = loading
        self.todos = todos
    }

    func activate(with id: Course.ID) {
        let list = TodoList(todos: Loader(store: todos, loading.todos), canChange: todos != nil)
        let screen = CourseModel(id: id, loading: loading, todos: list)
        screen.load(on: slot.owner)
        pair(with: navigator.push(screen))
    }
}
