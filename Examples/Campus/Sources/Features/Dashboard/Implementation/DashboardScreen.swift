import BackplaneFeatures
import CampusModels
import Observation
import Screens

/// What the dashboard tells its board.
protocol DashboardDelegate: AnyObject {
    /// The user wants to see a course.
    func open(_ course: Course.ID)
    /// The user wants to leave.
    func logOut()
}

/// The user's name, the courses, and the ways out.
@Observable
final class DashboardScreen: Screen {
    struct CourseModel: Sendable {
        let id: String
        let title: String
        let summary: String
    }

    let title = "Dashboard"
    let path = "/"
    private var isLeaving = false
    @ObservationIgnored weak var delegate: (any DashboardDelegate)?
    private let user: Loader<User.ID, User>
    private let courses: Loader<User.ID, [Course]>

    init(
        loadUser: @escaping (User.ID) async throws -> User,
        loadCourses: @escaping (User.ID) async throws -> [Course]
    ) {
        user = Loader(loadUser)
        courses = Loader(loadCourses)
    }

    var sections: [Section] {
        [
            Section(id: "user", template: "dashboard/user", loader: user) { $0.name },
            Section(id: "courses", template: "dashboard/courses", loader: courses) { courses in
                courses.map { CourseModel(id: $0.id.rawValue, title: $0.title, summary: $0.summary) }
            },
        ]
    }

    var isBusy: Bool { isLeaving || user.state.isLoading || courses.state.isLoading }

    func load(for id: User.ID, on owner: any Actor) {
        user.load(id, on: owner)
        courses.load(id, on: owner)
    }

    func reload() {
        user.reload()
        courses.reload()
    }

    func handle(_ event: ScreenEvent) {
        switch event.name {
        case "open": if let id = event["course"] { delegate?.open(Course.ID(rawValue: id)) }
        case "log-out":
            isLeaving = true
            delegate?.logOut()
        case "refresh": reload()
        case "retry": event["section"] == "user" ? user.retry() : courses.retry()
        default: break
        }
    }
}
