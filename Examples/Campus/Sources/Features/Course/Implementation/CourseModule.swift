public import Backplane
public import CampusModels
import CourseInterface
public import Screens

/// The course feature.
public struct CourseModule: BoardModule {
    private let navigation: Navigation
    private let loading: CourseLoading

    /// The feature.
    ///
    /// - Parameters:
    ///   - navigation: where the screen is shown.
    ///   - loading: brings the course and its sections.
    public init(navigation: Navigation, loading: CourseLoading) {
        self.navigation = navigation
        self.loading = loading
    }

    /// Registers the course board and its link.
    public func register(on motherboard: Motherboard) {
        motherboard.register(.course, reuse: .perActivation) { slot in
            CourseBoard(slot: slot, navigation: navigation, loading: loading)
        }
        motherboard.registerLink("course/{id}", to: .course)
    }
}

/// What a course screen is loaded from: a closure for each part, so that each can fail on its own.
public struct CourseLoading {
    let course: (Course.ID) async throws -> Course
    let tutor: (Course.ID) async throws -> Tutor
    let schedule: (Course.ID) async throws -> [ScheduleItem]
    let todos: (Course.ID) async throws -> [Todo]

    /// The closures, each called on the window's actor.
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

/// One course on the screen; the two are a pair, and end together.
private struct CourseBoard: Board {
    let slot: Slot<CoursePage>
    let navigation: Navigation
    let loading: CourseLoading

    func activate(with id: Course.ID) {
        let screen = CourseScreen(id: id, loading: loading)
        screen.load(on: slot.owner)
        pair(with: navigation.push(screen))
    }
}
