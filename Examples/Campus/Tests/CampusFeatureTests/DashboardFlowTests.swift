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
        let latch = AsyncLatch()
        campus.server.todosLatch = latch
        var reports: [Int] = []
        campus.onSession = { $0.registerFlow(from: .appointments) { count, _ in reports.append(count) } }
        campus.motherboard.open("/")
        await campus.until { reports == [1] }
        #expect(campus.section("week").contains("isWaiting: true"))
        latch.open()
        await campus.until { campus.section("week").contains("appointments: 1, openTodos: 1") }

        campus.server.openTodos = 5
        campus.press("refresh")
        await campus.until { campus.section("week").contains("appointments: 1, openTodos: 5") }
    }

    @Test(.rule("M13")) func `a failed count shows a reason and a retry, and the other sections are shown`()
        async
    {
        campus.server.isScheduleBroken = true
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        await campus.until { campus.section("week").contains("Broken.") }
        #expect(campus.section("courses").contains("Engines"))
        campus.server.isScheduleBroken = false
        campus.press("retry", ["section": "week"])
        await campus.until { campus.section("week").contains("appointments: 1, openTodos: 1") }
        #expect(!campus.section("week").contains("Broken."))
    }

    @Test(.rule("M13")) func `if one of two counts fails, the other one is not combined with a later count`() async {
        let (schedule, first, second) = (AsyncLatch(), AsyncLatch(), AsyncLatch())
        campus.server.isScheduleBroken = true
        (campus.server.scheduleLatch, campus.server.todosLatch) = (schedule, first)
        campus.motherboard.open("/")
        await campus.until { campus.server.todoRequests == 1 }
        schedule.open()
        await campus.until { campus.section("week").contains("Broken.") }
        // The first request for to-dos ends now, when nobody wants its count any more.
        first.open()
        for _ in 0..<100 { await Task.yield() }
        campus.server.isScheduleBroken = false
        campus.server.openTodos = 5
        campus.server.todosLatch = second
        campus.press("retry", ["section": "week"])
        await campus.until { campus.server.todoRequests == 2 }
        for _ in 0..<100 { await Task.yield() }
        #expect(campus.section("week").contains("isWaiting: true"), "one count is no week")
        second.open()
        await campus.until { campus.section("week").contains("appointments: 1, openTodos: 5") }
    }

    @Test(.rule("B46")) func `a command reaches the screen through the board`() async {
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        campus.server.courses.append(Course(id: "lin201", title: "Linear Algebra", summary: ""))
        #expect(campus.motherboard.send(.refresh, to: Dashboard.id) == .delivered(1))
        await campus.until { campus.section("courses").contains("Linear Algebra") }
    }

    @Test func `a second dashboard replaces the first`() async {
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        weak var first: (any Screen)?
        first = campus.navigator.top?.screen
        let second = campus.motherboard.activate(Dashboard.id)
        await campus.until { first == nil }
        await campus.shows("Dashboard")
        #expect(second.state == .active)
        #expect(campus.motherboard.send(.show(.init(appointments: 7, openTodos: 0)), to: Dashboard.id) == .delivered(1))
        #expect(campus.section("week").contains("appointments: 7"))
    }
}
