import Backplane
import BackplaneNavigation
import CampusModels
import CampusTestTools
import CourseInterface
import DashboardInterface
import Screens
import Testing

/// Tests of a course board, which is paired with its screen.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct CourseFlowTests {
    private let campus = HeadlessCampus()

    @Test(.rule("B28")) func `a screen that leaves cancels only its own board`() async {
        campus.server.user = "ada"
        var completions: [String] = []
        campus.onSession = { inside in
            inside.registerCompletionFlow(CoursePage.id) { completion, _ in completions.append("\(completion)") }
        }
        campus.motherboard.activate(Dashboard.id)
        await campus.shows("Dashboard")
        let lower = campus.motherboard.activate(CoursePage.id, with: "abc123")
        let upper = campus.motherboard.activate(CoursePage.id, with: "lin201")
        await campus.until { campus.paths == ["/", "/course/abc123", "/course/lin201"] }
        campus.navigator.back(to: "/course/abc123")
        #expect(upper.state == .completed)
        #expect(lower.state == .active)
        #expect(completions == ["cancelled"])
        campus.navigator.close()
        #expect(lower.state == .completed)
        #expect(completions == ["cancelled", "cancelled"])
    }

    @Test(.rule("B28")) func `a board that completes removes only its own screen`() async {
        campus.server.user = "ada"
        campus.motherboard.activate(Dashboard.id)
        await campus.shows("Dashboard")
        let course = campus.motherboard.activate(CoursePage.id, with: "abc123")
        await campus.shows("Engines")
        course.complete()
        #expect(campus.paths == ["/"])
        #expect("\(course.completion, default: "none")" == "done")
    }

    @Test(.rule("M13")) func `a failed section can be retried`() async {
        campus.server.user = "ada"
        campus.server.isScheduleBroken = true
        campus.motherboard.open("/course/abc123")
        await campus.shows("Engines")
        #expect(campus.section("schedule").contains("Broken."))
        #expect(!campus.section("to-dos").contains("Broken."))
        campus.server.isScheduleBroken = false
        campus.press("retry", ["section": "schedule"])
        await campus.shows("Engines")
        #expect(!campus.section("schedule").contains("Broken."))
        #expect(campus.section("schedule").contains("Hall 1"))
    }
}
