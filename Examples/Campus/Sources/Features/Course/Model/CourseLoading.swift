public import CampusModels

/// The closures that load a course, one for each part, so that each part can fail alone.
public struct CourseLoading {
    /// Loads the course itself.
    public let course: (Course.ID) async throws -> Course
    /// Loads the tutor of a course.
    public let tutor: (Course.ID) async throws -> Tutor
    /// Loads the weekly appointments of a course.
    public let schedule: (Course.ID) async throws -> [ScheduleItem]
    /// Loads the user's to-dos of a course.
    public let todos: (Course.ID) async throws -> [Todo]

    /// Creates the group of closures, which are called on the window's actor.
    public init(
        course: @escaping (Course.ID) async throws -> Course,
        tutor: @escaping (Course.ID) async throws -> Tutor,
        schedule: @escaping (Course.ID) async throws -> [ScheduleItem],
        todos: @escaping (Course.ID) async throws -> [Todo]
    ) {
        self.course = course
        self.tutor = tutor
        self.schedule = schedule
        self.todos = todos
    }
}
