import AgendaInterface
import Backplane
import BackplaneNavigation
import BackplaneTesting
import CampusModels
import CampusTestTools
import DashboardInterface
import Screens
import Testing

/// Tests of the dashboard, and of the counts and commands that it receives.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DashboardFlowTests {
    private let campus = HeadlessCampus()

    init() {
        campus.server.user = "ada"
    }

    @Test(.rule("B19")) func `the week shows after both counts arrive and updates when both arrive again`() async {
        let gate = AsyncLatch()
        campus.server.todosGate = gate
        var reports: [Int] = []
        campus.onSession = { $0.registerFlow(from: .appointments) { count, _ in reports.append(count) } }
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        await campus.until { reports == [1] }
        #expect(campus.section("week") == "nil")
        gate.open()
        await campus.until { campus.section("week").contains("appointments: 1, openTodos: 1") }

        campus.server.openTodos = 5
        campus.press("refresh")
        await campus.until { campus.section("week").contains("appointments: 1, openTodos: 5") }
    }

    @Test func `a failed count hides the week but not the rest of the dashboard`() async {
        campus.server.isScheduleBroken = true
        var failures = 0
        var counts = 0
        campus.onSession = { inside in
            inside.registerCompletionFlow(.appointments) { _, _ in failures += 1 }
            inside.registerFlow(from: .openTodos) { _, _ in counts += 1 }
        }
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        await campus.until { failures == 1 && counts == 1 }
        #expect(campus.section("week") == "nil")
        #expect(campus.section("courses").contains("Engines"))
    }

    @Test(.rule("B46")) func `a command reaches the screen through the board`() async {
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        campus.server.courses.append(Course(id: "lin201", title: "Linear Algebra", summary: ""))
        #expect(campus.motherboard.send(.refresh, to: .dashboard) == .delivered(1))
        await campus.until { campus.section("courses").contains("Linear Algebra") }
    }

    @Test func `a second dashboard replaces the first`() async {
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        weak var first: (any Screen)?
        first = campus.navigator.top?.screen
        let second = campus.motherboard.activate(.dashboard)
        await campus.until { first == nil }
        await campus.shows("Dashboard")
        #expect(second.state == .active)
        #expect(campus.motherboard.send(.show(.init(appointments: 7, openTodos: 0)), to: .dashboard) == .delivered(1))
        #expect(campus.section("week").contains("appointments: 7"))
    }
}
