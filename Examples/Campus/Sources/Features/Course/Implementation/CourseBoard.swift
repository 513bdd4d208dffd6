import Backplane
import BackplaneFeatures
import BackplaneNavigation
import CampusModels
import CourseInterface
import CourseModels
import Screens

/// A board with one course screen; the board and the screen end together.
struct CourseBoard: Board {
    let slot: Slot<CoursePage>
    let module: CourseModule

    func activate(with id: Course.ID) {
        let list = TodoList(todos: Loader(store: module.todos, module.loading.todos), canChange: module.todos != nil)
        let screen = CourseModel(id: id, loading: module.loading, todos: list)
        screen.course.load(id, on: slot.owner)
        screen.tutor.load(id, on: slot.owner)
        screen.schedule.load(id, on: slot.owner)
        list.todos.load(id, on: slot.owner)
        pair(with: module.navigator.push(screen))
    }
}
