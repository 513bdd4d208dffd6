import Backplane
import BackplaneTesting
import CampusModels
import ComposerInterface
import DashboardInterface
import LoginInterface
import Screens
import TestSupport
import Testing

/// The login in front of everything but what needs none, and the way out.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct LoginFlowTests {
    private let campus = HeadlessCampus()

    @Test(
        .rule("B31", "B41"),
        arguments: [
            ("/course/abc123", "/course/abc123"), ("/compose", "/compose"), ("/compose/recipients", "/compose"),
            ("/compose/question", "/compose"),
        ]
    )
    func `signed out, a link waits at the login and then shows its target alone`(
        link: String,
        path: String
    ) async {
        #expect(campus.motherboard.open(link) == .waiting)
        await campus.logIn(password: "wrong")
        await campus.until { campus.server.refusals == 1 }
        await campus.logIn()
        await campus.until { campus.paths == [path] }
    }

    @Test(.rule("B31"), arguments: [("/catalog", "Campus shop"), ("/product/cards", "Punched Cards")])
    func `what is for everybody is behind no gate`(link: String, title: String) async {
        #expect(campus.motherboard.open(link) == .opened)
        await campus.shows(title)
        #expect(campus.paths == [link])
    }

    @Test(.rule("M1")) func `the root shows the login, and to a user the dashboard`() async {
        #expect(campus.motherboard.open("/") == .waiting)
        await campus.logIn()
        await campus.shows("Dashboard")
        #expect(campus.paths == ["/"])
        campus.press("open", ["course": "abc123"])
        await campus.shows("Engines")
        #expect(campus.paths == ["/", "/course/abc123"])
    }

    @Test(.rule("B56")) func `a login that is left denies what waited at the session`() async {
        let dashboard = campus.motherboard.activate(.dashboard)
        await campus.shows("Log in")
        #expect(dashboard.state == .waiting)
        campus.navigation.close()
        let denial = Denial(of: .session, by: .login, .gateCancelled)
        #expect(dashboard.state == .denied(Denial(of: .dashboard, by: .session, .gateDenied(denial))))
    }

    @Test(.rule("B28")) func `the login lets go of its form when that has served, and when it is left`() async {
        for leave in [{ await campus.logIn() }, { campus.navigation.close() }] {
            campus.motherboard.open("/course/abc123")
            await campus.shows("Log in")
            weak var form: (any Screen)?
            form = campus.navigation.top
            #expect(form != nil)
            await leave()
            await campus.until { form == nil }
            campus.server.user = nil
            campus.motherboard.complete(.session)
        }
    }

    @Test(.rule("B28")) func `whoever asks for the login again waits for the same form, and hears when that is left`()
        async
    {
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
        let gate = AsyncLatch()
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
        campus.server.notice = "Your session has ended."
        campus.motherboard.open("/")
        await campus.shows("Log in")
        #expect(campus.section("login").contains("Your session has ended."))
        await campus.logIn(password: "wrong")
        await campus.until { campus.section("login").contains("Wrong.") }
        #expect(!campus.section("login").contains("Your session has ended."))
    }

    @Test func `logging out shows at once, and a second time changes nothing`() async {
        campus.server.user = "ada"
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        let gate = AsyncLatch()
        campus.server.logOutGate = gate
        campus.press("log-out")
        campus.press("log-out")
        await campus.until { campus.server.logOuts == 1 }
        await campus.shows("Log in")
        gate.open()
        #expect(campus.server.logOuts == 1)
    }

    @Test(.rule("B56")) func `logging out ends the session with everything inside it, and shows the login`() async {
        campus.server.user = "ada"
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        campus.motherboard.open("/course/abc123")
        await campus.shows("Engines")
        campus.motherboard.open("/compose")
        await campus.shows("New message")
        campus.press("add-recipients")
        await campus.shows("Recipients")
        campus.motherboard.send(.logOut, to: .session)
        await campus.until { campus.server.user == nil }
        await campus.shows("Log in")
        #expect(campus.paths == ["/"])
        let live = campus.motherboard.snapshot().boards.map(\.board.name)
        #expect(!live.contains("session"))
    }

    @Test(.rule("B56")) func `logging out takes nothing away that is for everybody`() async {
        campus.server.user = "ada"
        campus.motherboard.open("/catalog")
        await campus.shows("Campus shop")
        campus.motherboard.open("/course/abc123")
        await campus.shows("Engines")
        await campus.server.account?.logOut()
        await campus.until { campus.paths == ["/catalog"] }
        #expect(!campus.motherboard.isLive(.session))
    }

    @Test(.rule("B57")) func `features add themselves to the bar and the dashboard, those of a session while it lasts`()
        async
    {
        var bar: [String] { campus.motherboard.contributions(to: .barEntries).map(\.title) }
        #expect(bar == ["Campus shop"])
        campus.server.user = "ada"
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        #expect(bar == ["Dashboard", "Campus shop", "Settings"])
        for tile in ["Write a message", "Campus shop"] { #expect(campus.section("tiles").contains(tile)) }
        await campus.server.account?.logOut()
        await campus.shows("Log in")
        #expect(bar == ["Campus shop"])
    }
}
