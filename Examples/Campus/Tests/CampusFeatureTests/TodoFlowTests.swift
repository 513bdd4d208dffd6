import Backplane
import BackplaneNavigation
import BackplaneTesting
import CampusModels
import CampusTestTools
import CourseInterface
import LoginInterface
import Screens
import Testing

/// M10: tests of ticking to-dos, which shows before the server has confirmed the change.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct TodoFlowTests {
    private let campus = HeadlessCampus()

    /// Creates a course whose to-dos 0 and 1 are open, and whose to-do 2 is done.
    init() {
        campus.server.user = "ada"
        campus.server.openTodos = 2
    }

    private func open() async {
        campus.motherboard.open("/course/abc123")
        await campus.shows("Engines")
    }

    /// The shown to-dos: `x` for a ticked to-do, followed by `?` for an unsaved change.
    private var marks: String {
        let todos = campus.section("to-dos").matches(of: /isDone: (?<done>\w+), isUnsaved: (?<unsaved>\w+), id/)
        return todos.map { ($0.done == "true" ? "x" : "-") + ($0.unsaved == "true" ? "?" : "") }.joined(separator: " ")
    }

    private var serverMarks: String { campus.server.todos.map { $0.isDone ? "x" : "-" }.joined(separator: " ") }

    @Test(.rule("M10")) func `ticking and unticking show before the server responds`() async {
        let latch = AsyncLatch()
        campus.server.changeLatch = latch
        await open()
        #expect(marks == "- - x")
        campus.press("tick", ["todo": "0"])
        await campus.until { campus.server.changeKeys.count == 1 }
        #expect(marks == "x? - x")
        #expect(campus.navigator.top?.screen.isBusy == true)
        campus.press("untick", ["todo": "2"])
        await campus.until { marks == "x? - -?" }
        latch.open()
        await campus.shows("Engines")
        #expect(marks == "x - -")
        #expect(serverMarks == "x - -")
    }

    @Test(.rule("A4")) func `a rejected tick is reverted with the reason, and other ticks stay`() async {
        campus.server.changeErrors = [refusal("Too late.")]
        let latch = AsyncLatch()
        campus.server.changeLatch = latch
        await open()
        campus.press("tick", ["todo": "0"])
        campus.press("tick", ["todo": "1"])
        await campus.until { marks == "x? x? x" }
        latch.open()
        await campus.shows("Engines")
        #expect(marks == "- x x")
        #expect(campus.section("to-dos").contains("Too late."))
        #expect(serverMarks == "- x x")

        let id = campus.section("to-dos").firstMatch(of: /Refusal\(id: "(?<id>[^"]+)"/)?.id
        campus.press("dismiss", ["change": "somebody else's"])
        #expect(campus.section("to-dos").contains("Too late."))
        campus.press("dismiss", ["change": String(id ?? "")])
        #expect(!campus.section("to-dos").contains("Too late."))
        #expect(marks == "- x x")
    }

    @Test(.rule("A7")) func `a reload during unconfirmed ticks does not hide them`() async {
        let latch = AsyncLatch()
        campus.server.changeLatch = latch
        await open()
        campus.press("tick", ["todo": "0"])
        await campus.until { campus.server.changeKeys.count == 1 }
        campus.motherboard.open("/course/abc123")
        await campus.until { campus.server.todoRequests == 2 }
        campus.press("tick", ["todo": "1"])
        for _ in 0..<100 {
            await Task.yield()
            #expect(marks.hasPrefix("x?"))
        }
        #expect(marks == "x? x? x", "both pages show the same")
        latch.open()
        await campus.until { marks == "x x x" }
        #expect(serverMarks == "x x x")
        #expect(Set(campus.server.changeKeys).count == 2)
    }

    @Test(.rule("A5"), arguments: [true, false])
    func `a tick whose response is lost stays, is sent again with its key and arrives once`(
        isAskedFor: Bool
    ) async {
        campus.server.changeErrors = [DisplayError("The campus server cannot be reached.")]
        await open()
        campus.press("tick", ["todo": "0"])
        await campus.until { campus.section("to-dos").contains("It is not confirmed yet") }
        #expect(marks == "x? - x")
        #expect(!campus.section("to-dos").contains("cannot be reached"))
        if isAskedFor {
            campus.press("resend")
        } else {
            await campus.clock.sleepers(atLeast: 1)
            campus.clock.advance(by: .seconds(1))
        }
        await campus.until { marks == "x - x" }
        #expect(campus.server.changeKeys.count == 2)
        #expect(Set(campus.server.changeKeys).count == 1)
        #expect(campus.server.todos.map(\.rev) == [1, 0, 0])
    }

    @Test(.rule("M10")) func `a tick is sent after its screen has closed, and is visible there later`() async {
        let latch = AsyncLatch()
        campus.server.changeLatch = latch
        await open()
        campus.press("tick", ["todo": "0"])
        await campus.until { campus.server.changeKeys.count == 1 }
        campus.navigator.setRoot(EmptyScreen())
        campus.motherboard.open("/course/abc123")
        await campus.until { marks == "x? - x" }
        latch.open()
        await campus.until { marks == "x - x" }
        #expect(serverMarks == "x - x")
    }

    @Test(.rule("N9")) func `an unconfirmed tick is not shown to the next user or sent for that user`() async {
        campus.server.changeErrors = [DisplayError("The campus server cannot be reached.")]
        await open()
        campus.press("tick", ["todo": "0"])
        await campus.clock.sleepers(atLeast: 1)
        campus.inside?.sendAction(SessionAction.signOut)
        await campus.until { campus.server.user == nil && !campus.motherboard.isLive(Session.id) }
        campus.server.openTodos = 2
        campus.motherboard.open("/course/abc123")
        await campus.signIn()
        await campus.shows("Engines")
        #expect(marks == "- - x")
        campus.clock.advance(by: .seconds(60))
        await campus.shows("Engines")
        #expect(campus.server.changeKeys.count == 1)
        #expect(serverMarks == "- - x")
    }

    @Test(.rule("M6")) func `a confirmed tick shows on the dashboard`() async {
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        await campus.until { campus.section("week").contains("openTodos: 2") }
        campus.motherboard.open("/course/abc123")
        await campus.shows("Engines")
        campus.press("tick", ["todo": "0"])
        await campus.shows("Engines")
        #expect(marks == "x - x")
        campus.navigator.back(to: "/")
        await campus.until { campus.section("week").contains("openTodos: 1") }
    }

    @Test func `an unknown to-do or event changes nothing`() async {
        await open()
        for fields in [[:], ["todo": ""], ["todo": "nothing"]] { campus.press("tick", fields) }
        campus.press("nonsense", ["todo": "0"])
        await campus.shows("Engines")
        #expect(marks == "- - x")
        #expect(campus.server.changeKeys.isEmpty)
    }

    @Test(.rule("M13")) func `retrying all reloads only the failed sections`() async {
        campus.server.isScheduleBroken = true
        await open()
        #expect(campus.section("failures").contains("anyFailed: true"))
        let requests = campus.server.todoRequests
        campus.server.isScheduleBroken = false
        campus.press("retry-all")
        await campus.shows("Engines")
        #expect(campus.section("schedule").contains("Hall 1"))
        #expect(campus.section("failures").contains("anyFailed: false"))
        #expect(campus.server.todoRequests == requests)
    }

    @Test(.rule("M6")) func `a tick that is confirmed after its course has closed shows on the dashboard`() async {
        let latch = AsyncLatch()
        campus.server.changeLatch = latch
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        await campus.until { campus.section("week").contains("openTodos: 2") }
        campus.motherboard.open("/course/abc123")
        await campus.shows("Engines")
        campus.press("tick", ["todo": "0"])
        await campus.until { campus.server.changeKeys.count == 1 }
        campus.navigator.back(to: "/")
        latch.open()
        await campus.until { campus.section("week").contains("openTodos: 1") }
    }
}
