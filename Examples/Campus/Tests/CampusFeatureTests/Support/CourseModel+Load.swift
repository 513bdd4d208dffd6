import BackplaneFeatures
import CourseModels

extension CourseModel {
    /// Loads all parts, as the board does.
    @MainActor func load() {
        course.load(id)
        tutor.load(id)
        schedule.load(id)
        todos.todos.load(id)
    }
}
