public import BackplaneFeatures
public import CampusModels
import CourseInterface
public import Observation
public import Screens

/// One course, whose parts load, fail and are retried separately.
@Observable
public final class CourseModel: EventScreen {
    /// A part of the course that can be loaded again; a raw value is the ID of its section.
    public enum Part: String {
        /// The course itself.
        case course
        /// The tutor of the course.
        case tutor
        /// The weekly appointments of the course.
        case schedule
        /// The user's to-dos of the course.
        case todos = "to-dos"
    }

    /// The ID of the course.
    public let id: Course.ID
    /// The course itself.
    public let course: Loader<Course.ID, Course>
    /// The tutor of the course.
    public let tutor: Loader<Course.ID, Tutor>
    /// The weekly appointments of the course.
    public let schedule: Loader<Course.ID, [ScheduleItem]>
    /// The user's to-dos of the course.
    public let todos: TodoList
    private let parts: LoaderGroup

    /// Creates a screen of a course; its parts do not load yet.
    ///
    /// - Parameters:
    ///   - id: the ID of the course.
    ///   - loading: loads the parts, except the to-dos.
    ///   - todos: the to-dos of the course.
    public init(id: Course.ID, loading: CourseLoading, todos: TodoList) {
        self.id = id
        course = Loader(loading.course)
        tutor = Loader(loading.tutor)
        schedule = Loader(loading.schedule)
        self.todos = todos
        parts = LoaderGroup(course, tutor, schedule, todos.todos)
    }

    /// The deep link of the course, as a path.
    public var path: String { CoursePage.path(of: id) }

    /// Whether a part is loading or a change of a to-do is running.
    public var isBusy: Bool { parts.anyLoading || todos.isBusy }

    /// Whether there is no such course for this user.
    public var isMissing: Bool { course.state.isMissing }

    /// Whether the last load of at least one part failed.
    public var anyFailed: Bool { parts.anyFailed }

    /// Loads a part again after a failure.
    public func retry(_ part: Part) {
        switch part {
        case .course: course.retry()
        case .tutor: tutor.retry()
        case .schedule: schedule.retry()
        case .todos: todos.todos.retry()
        }
    }

    /// Loads the parts again whose last load failed.
    public func retryAll() {
        parts.retry()
    }
}

extension CourseModel {
    /// The actions of the user, by the names that forms and commands have.
    public enum Event: String, CaseIterable {
        /// Marks the to-do in the field `todo` as done.
        case tick
        /// Marks the to-do in the field `todo` as open.
        case untick
        /// Removes the rejected change in the field `change`.
        case dismiss
        /// Resends the unconfirmed changes.
        case resend
        /// Loads the part in the field `section` again after a failure.
        case retry
        /// Loads all failed parts again.
        case retryAll = "retry-all"
    }

    /// Performs an action of the user; fields that are missing or malformed change nothing.
    public func perform(_ event: Event, _ fields: EventFields) {
        switch event {
        case .tick: if let todo: Todo.ID = fields.value("todo") { todos.tick(todo) }
        case .untick: if let todo: Todo.ID = fields.value("todo") { todos.untick(todo) }
        case .dismiss: if let change = fields["change"] { todos.dismiss(change: change) }
        case .resend: todos.resend()
        case .retry: if let part: Part = fields.value("section") { retry(part) }
        case .retryAll: retryAll()
        }
    }
}
