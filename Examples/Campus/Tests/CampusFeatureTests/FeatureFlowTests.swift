import Backplane
import BackplaneTesting
import CampusModels
import CourseFeature
import CourseInterface
import DashboardFeature
import DashboardInterface
import LoginFeature
import LoginInterface
import RootFeature
import Screens
import Testing

/// Campus's features without host, browser or network: closures in their place.
@MainActor
struct FeatureFlowTests {
    private let motherboard = Motherboard.onMain()
    private let navigation = Navigation()
    private let server = Server()

    /// What the closures stand for, and a gate for each moment a test waits for.
    private final class Server {
        var user: User.ID?
        var isScheduleBroken = true
        let asked = AsyncGate()
        let refused = AsyncGate()
        let dashboardLoaded = AsyncGate()
        let courseLoaded = AsyncGate()
        let scheduleHealed = AsyncGate()
    }

    init() {
        let server = server
        let currentUser: () async -> User.ID? = {
            server.asked.open()
            return server.user
        }
        motherboard.install(RootModule(currentUser: currentUser))
        motherboard.install(
            LoginModule(navigation: navigation, currentUser: currentUser) { request in
                guard request.password == "right" else {
                    server.refused.open()
                    throw DisplayError("Wrong.")
                }
                server.user = "ada"
                return "ada"
            }
        )
        motherboard.install(
            DashboardModule(
                navigation: navigation,
                loadUser: { User(id: $0, name: "Ada", email: "ada@campus.example") },
                loadCourses: { _ in
                    server.dashboardLoaded.open()
                    return [Course(id: "abc123", title: "Engines", summary: "")]
                },
                logOut: { server.user = nil }
            )
        )
        motherboard.install(
            CourseModule(
                navigation: navigation,
                loading: CourseLoading(
                    course: {
                        server.courseLoaded.open()
                        return Course(id: $0, title: "Engines", summary: "")
                    },
                    tutor: { _ in Tutor(id: "t", name: "Babbage", email: "", officeHours: "") },
                    schedule: { _ in
                        if server.isScheduleBroken { throw DisplayError("Broken.") }
                        server.scheduleHealed.open()
                        return []
                    },
                    todos: { _ in [] }
                )
            )
        )
        motherboard.gate(.dashboard, by: .login) { _ in .open }
        motherboard.gate(.course, by: .login) { _ in .open }
        motherboard.registerFlow(from: .dashboard) { output, motherboard in
            if case .open(let id) = output { motherboard.activate(.course, with: id) }
        }
    }

    /// Lets what has been started on the main actor run until `condition` holds; the test's time limit is the only clock.
    private func until(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    private func logIn(_ password: String) async {
        await until { navigation.top?.title == "Log in" }
        let event = ScreenEvent(name: "log-in", fields: ["email": "ada@campus.example", "password": password])
        navigation.top?.handle(event)
    }

    @Test(.timeLimit(.minutes(1)))
    func `B41: signed out, a link to a course waits at the login and then shows that course alone`() async {
        #expect(motherboard.open("/course/abc123") == .waiting)
        await logIn("wrong")
        await server.refused.wait()
        #expect(navigation.top?.title == "Log in")
        await until { navigation.top?.isBusy == false }
        await logIn("right")
        await server.courseLoaded.wait()
        #expect(navigation.stack.map(\.screen.path) == ["/course/abc123"])
    }

    @Test(.timeLimit(.minutes(1)))
    func `the root shows the dashboard to a user, and the login to anybody else`() async {
        #expect(motherboard.open("/") == .opened)
        await logIn("right")
        await server.dashboardLoaded.wait()
        #expect(navigation.stack.map(\.screen.title) == ["Dashboard"])
        navigation.top?.handle(ScreenEvent(name: "open", fields: ["course": "abc123"]))
        await server.courseLoaded.wait()
        #expect(navigation.stack.map(\.screen.path) == ["/", "/course/abc123"])
        navigation.back(to: "/")
        #expect(motherboard.send(.refresh, to: .dashboard) == .delivered(1))
    }

    @Test(.timeLimit(.minutes(1)))
    func `B28: a screen that leaves cancels its board`() async {
        server.user = "ada"
        var completions: [String] = []
        motherboard.registerCompletionFlow(.course) { completion, _ in completions.append("\(completion)") }
        let course = motherboard.activate(.course, with: "abc123")
        await server.courseLoaded.wait()
        navigation.removeAll()
        #expect(course.state == .completed)
        #expect(completions == ["cancelled"])
    }

    @Test(.timeLimit(.minutes(1)))
    func `M13: a section that failed is retried alone`() async throws {
        server.user = "ada"
        motherboard.open("/course/abc123")
        await until { navigation.top?.isBusy == false }
        let screen = try #require(navigation.top)
        #expect(problem(of: "schedule", on: screen) == "Broken.")
        #expect(problem(of: "to-dos", on: screen) == nil)
        server.isScheduleBroken = false
        screen.handle(ScreenEvent(name: "retry", fields: ["section": "schedule"]))
        await server.scheduleHealed.wait()
        await until { !screen.isBusy }
        #expect(problem(of: "schedule", on: screen) == nil)
    }

    private func problem(of id: String, on screen: any Screen) -> String? {
        let section = screen.sections.first { $0.id == id }
        return (section?.model() as? any HasProblem)?.problem
    }
}

private protocol HasProblem {
    var problem: String? { get }
}

extension LoadModel: HasProblem {}
