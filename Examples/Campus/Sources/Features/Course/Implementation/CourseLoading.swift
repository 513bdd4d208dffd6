public import CampusModels

/// The closures that load a course screen, one for each part, so that each part can fail alone.
public struct CourseLoading {
    let course: (Course.ID) async throws -> Course
    let tutor: (Course.ID) async throws -> Tutor
    let schedule: (Course.ID) async throws -> [ScheduleItem]
    let todos: (Course.ID) async throws -> [Todo]

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
