import BackplaneFeatures
import CampusModels
import DashboardInterface
import Observation
import Screens

/// What the dashboard tells its board.
protocol DashboardDelegate: AnyObject {
    /// The user wants to see a course.
    func open(_ course: Course.ID)
    /// The user wants to write a message.
    func compose()
    /// The user wants to see the settings.
    func settings()
    /// The user wants to see everything as it is now.
    func refresh()
    /// The user wants to leave.
    func logOut()
}

/// The user's name and week, the courses, the messages, and the ways out.
@Observable
final class DashboardScreen: Screen, DashboardControllable {
    struct CourseModel: Sendable {
        let id: String
        let title: String
        let summary: String
    }

    struct MessageModel: Sendable {
        let recipients: String
        let text: String
    }

    let title = "Dashboard"
    let path = "/"
    private let id: User.ID
    private var isLeaving = false
    private var week: Dashboard.Week?
    @ObservationIgnored weak var delegate: (any DashboardDelegate)?
    private let user: Loader<User.ID, User>
    private let courses: Loader<User.ID, [Course]>
    private let messages: Loader<User.ID, [Message]>

    init(user id: User.ID, loading: DashboardLoading) {
        self.id = id
        user = Loader(loading.user)
        courses = Loader(loading.courses)
        messages = Loader(loading.messages)
    }

    var sections: [Section] {
        [
            Section(id: "user", template: "dashboard/user", loader: user) { $0.name },
            Section(id: "week", template: "dashboard/week") { self.week },
            Section(id: "courses", template: "dashboard/courses", loader: courses) { courses in
                courses.map { CourseModel(id: $0.id.rawValue, title: $0.title, summary: $0.summary) }
            },
            Section(id: "messages", template: "dashboard/messages", loader: messages) { messages in
                messages.map {
                    MessageModel(recipients: $0.recipients.map(\.name).joined(separator: ", "), text: $0.text)
                }
            },
        ]
    }

    var isBusy: Bool { isLeaving || user.state.isLoading || courses.state.isLoading || messages.state.isLoading }

    func load(on owner: any Actor) {
        user.load(id, on: owner)
        courses.load(id, on: owner)
        messages.load(id, on: owner)
    }

    func reload() {
        user.reload()
        courses.reload()
        messages.reload()
    }

    func show(_ week: Dashboard.Week) {
        self.week = week
    }

    func handle(_ event: ScreenEvent) {
        switch event.name {
        case "open": if let id = event["course"] { delegate?.open(Course.ID(rawValue: id)) }
        case "compose": delegate?.compose()
        case "settings": delegate?.settings()
        case "refresh": delegate?.refresh()
        case "log-out":
            isLeaving = true
            delegate?.logOut()
        case "retry": retry(event["section"])
        default: break
        }
    }

    private func retry(_ section: String?) {
        switch section {
        case "user": user.retry()
        case "courses": courses.retry()
        case "messages": messages.retry()
        default: break
        }
    }
}
