import Backplane
import BackplaneTesting
import CampusModels
import ComposerInterface
import DashboardInterface
import LoginInterface
import RootInterface
import Screens
import Testing

/// The login in front of everything but what needs none, and the way out.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct LoginFlowTests {
    private let campus = HeadlessCampus()

    @Test(arguments: [
        ("/course/abc123", "/course/abc123"), ("/compose", "/compose"), ("/compose/recipients", "/compose"),
        ("/compose/question", "/compose"),
    ])
    func `B31, B41: signed out, a link waits at the login and then shows its target alone`(
        link: String,
        path: String
    ) async {
        #expect(campus.motherboard.open(link) == .waiting)
        await campus.logIn(password: "wrong")
        await campus.until { campus.server.refusals == 1 }
        await campus.logIn()
        await campus.until { campus.paths == [path] }
    }

    @Test(arguments: [("/catalogue", "Campus shop"), ("/product/cards", "Punched Cards")])
    func `B31: what is for everybody is behind no gate`(link: String, title: String) async {
        #expect(campus.motherboard.open(link) == .opened)
        await campus.shows(title)
        #expect(campus.paths == [link])
    }

    @Test func `B31: a board inside another is behind the gate too`() async {
        campus.server.user = "ada"
        campus.motherboard.open("/compose")
        await campus.shows("New message")
        campus.server.user = nil
        campus.press("add-recipients")
        await campus.logIn()
        await campus.shows("Recipients")
        #expect(campus.paths == ["/compose", "/compose/recipients"])
    }

    @Test func `M1: the root shows the login, and to a user the dashboard`() async {
        #expect(campus.motherboard.open("/") == .opened)
        await campus.logIn()
        await campus.shows("Dashboard")
        #expect(campus.paths == ["/"])
        campus.press("open", ["course": "abc123"])
        await campus.shows("Engines")
        #expect(campus.paths == ["/", "/course/abc123"])
    }

    @Test(arguments: [nil, "ada"])
    func `M3: the root ends once it has led on to the dashboard`(user: User.ID?) async {
        campus.server.user = user
        let root = campus.motherboard.activate(.root)
        if user == nil {
            await campus.logIn()
        }
        await campus.shows("Dashboard")
        #expect(root.state == .completed)
        #expect("\(root.completion, default: "none")" == "done")
    }

    @Test func `M3: the root lives as long as the login inside it, and is cancelled with it`() async {
        let root = campus.motherboard.activate(.root)
        await campus.shows("Log in")
        #expect(root.state == .active)
        campus.navigation.close()
        #expect(root.state == .completed)
        #expect("\(root.completion, default: "none")" == "cancelled")
    }

    @Test func `B28: the login lets go of its form when that has served, and when it is left`() async {
        for leave in [{ await campus.logIn() }, { campus.navigation.close() }] {
            campus.motherboard.open("/course/abc123")
            await campus.shows("Log in")
            weak var form: (any Screen)?
            form = campus.navigation.top
            #expect(form != nil)
            await leave()
            await campus.until { form == nil }
            campus.server.user = nil
        }
    }

    @Test func `B28: whoever asks for the login again waits for the same form, and hears when that is left`() async {
        let first = campus.motherboard.activate(.login)
        await campus.shows("Log in")
        let second = campus.motherboard.activate(.login)
        await campus.until { campus.server.userRequests == 2 }
        #expect(first.state == .superseded)
        #expect(campus.paths == ["/"])
        campus.navigation.close()
        #expect(second.state == .completed)
        #expect("\(second.completion, default: "none")" == "cancelled")
    }

    @Test func `a log-in that is under way goes on when the login is asked for again`() async {
        let gate = AsyncGate()
        campus.server.logInGate = gate
        campus.motherboard.activate(.login)
        await campus.logIn()
        await gate.arrivals(atLeast: 1)
        let second = campus.motherboard.activate(.login)
        gate.open()
        await campus.until { second.state == .completed }
        #expect("\(second.completion, default: "none")" == "done")
        #expect(campus.server.user == "ada")
        #expect(campus.paths.isEmpty)
    }

    @Test func `why somebody has to log in again is said above the form, until they try`() async {
        let campus = HeadlessCampus(notice: "Your session has ended.")
        campus.motherboard.open("/")
        await campus.shows("Log in")
        #expect(campus.section("login").contains("Your session has ended."))
        await campus.logIn(password: "wrong")
        await campus.until { campus.section("login").contains("Wrong.") }
        #expect(!campus.section("login").contains("Your session has ended."))
    }

    @Test func `B36: logging out while that is under way changes nothing`() async {
        campus.server.user = "ada"
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        let gate = AsyncGate()
        campus.server.logOutGate = gate
        campus.press("log-out")
        campus.press("log-out")
        await campus.until { campus.server.logOuts == 1 }
        gate.open()
        await campus.until { campus.server.user == nil }
        #expect(campus.server.logOuts == 1)
    }
}
