import Backplane
import BackplaneNavigation
import BackplaneTesting
import CampusModels
import CampusTestTools
import ComposerInterface
import DashboardInterface
import LoginInterface
import Screens
import Testing

/// Tests of signing in and out, and of the gate in front of the boards that need a user.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct LoginFlowTests {
    private let campus = HeadlessCampus()

    @Test(
        .rule("B31", "B41"),
        arguments: [
            ("/course/abc123", "/course/abc123"), ("/compose", "/compose"), ("/compose/recipients", "/compose"),
        ]
    )
    func `a link opened while signed out waits for the sign-in and then shows only its target`(
        link: String,
        path: String
    ) async {
        #expect(campus.motherboard.open(link) == .waiting)
        await campus.signIn(password: "wrong")
        await campus.until { campus.server.refusals == 1 }
        await campus.signIn()
        await campus.until { campus.paths == [path] }
    }

    @Test(.rule("B31"), arguments: [("/catalog", "Campus shop"), ("/product/cards", "Punched Cards")])
    func `public screens have no gate`(link: String, title: String) async {
        #expect(campus.motherboard.open(link) == .opened)
        await campus.shows(title)
        #expect(campus.paths == [link])
    }

    @Test(.rule("M1")) func `the root shows the login form, and the dashboard after the sign-in`() async {
        #expect(campus.motherboard.open("/") == .waiting)
        await campus.signIn()
        await campus.shows("Dashboard")
        #expect(campus.paths == ["/"])
        campus.press("open", ["course": "abc123"])
        await campus.shows("Engines")
        #expect(campus.paths == ["/", "/course/abc123"])
    }

    @Test(.rule("B56")) func `leaving the login form denies the boards that wait for the session`() async {
        let dashboard = campus.motherboard.activate(Dashboard.id)
        await campus.shows("Sign in")
        #expect(dashboard.state == .waiting)
        campus.navigator.close()
        let denial = Denial(of: Session.id, by: Login.id, .gateCancelled)
        #expect(dashboard.state == .denied(Denial(of: Dashboard.id, by: Session.id, .gateDenied(denial))))
    }

    @Test(.rule("B28")) func `the login form is released after the sign-in and when the user leaves the form`() async {
        for leave in [{ await campus.signIn() }, { campus.navigator.close() }] {
            campus.motherboard.open("/course/abc123")
            await campus.shows("Sign in")
            weak var form: (any Screen)?
            form = campus.navigator.top?.screen
            #expect(form != nil)
            await leave()
            await campus.until { form == nil }
            campus.server.user = nil
            campus.motherboard.complete(Session.id)
        }
    }

    @Test(.rule("B28")) func `a second activation of the login uses the same form and completes when the form leaves`()
        async
    {
        let first = campus.motherboard.activate(Login.id)
        await campus.shows("Sign in")
        let second = campus.motherboard.activate(Login.id)
        await campus.until { campus.server.userRequests == 2 }
        #expect(first.state == .superseded)
        #expect(campus.paths == ["/"])
        campus.navigator.close()
        #expect(second.state == .completed)
        #expect("\(second.completion, default: "none")" == "cancelled")
    }

    @Test func `a running sign-in continues when the login board is activated again`() async {
        let latch = AsyncLatch()
        campus.server.signInLatch = latch
        campus.motherboard.activate(Login.id)
        await campus.signIn()
        await latch.arrivals(atLeast: 1)
        let second = campus.motherboard.activate(Login.id)
        latch.open()
        await campus.until { second.state == .completed }
        #expect("\(second.completion, default: "none")" == "done")
        #expect(campus.server.user == "ada")
        #expect(campus.paths.isEmpty)
    }

    @Test func `the login form shows the session's notice until the first attempt`() async {
        campus.server.notice = "Your session has ended."
        campus.motherboard.open("/")
        await campus.shows("Sign in")
        #expect(campus.section("login").contains("Your session has ended."))
        await campus.signIn(password: "wrong")
        await campus.until { campus.section("login").contains("Wrong.") }
        #expect(!campus.section("login").contains("Your session has ended."))
    }

    @Test func `signing out shows the login form at once, and a second press changes nothing`() async {
        campus.server.user = "ada"
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        let latch = AsyncLatch()
        campus.server.signOutLatch = latch
        campus.press("sign-out")
        campus.press("sign-out")
        await campus.until { campus.server.signOuts == 1 }
        await campus.shows("Sign in")
        latch.open()
        #expect(campus.server.signOuts == 1)
    }

    @Test(.rule("B56")) func `signing out ends the session with its nested boards and shows the login form`() async {
        campus.server.user = "ada"
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        campus.motherboard.open("/course/abc123")
        await campus.shows("Engines")
        campus.motherboard.open("/compose")
        await campus.shows("New message")
        campus.press("add-recipients")
        await campus.shows("Recipients")
        campus.inside?.sendAction(SessionAction.signOut)
        await campus.until { campus.server.user == nil }
        await campus.shows("Sign in")
        #expect(campus.paths == ["/"])
        let live = campus.motherboard.snapshot().ids.map(\.name)
        #expect(!live.contains("session"))
    }

    @Test(.rule("B56")) func `signing out keeps public screens open`() async {
        campus.server.user = "ada"
        campus.motherboard.open("/catalog")
        await campus.shows("Campus shop")
        campus.motherboard.open("/course/abc123")
        await campus.shows("Engines")
        await campus.server.account?.signOut()
        await campus.until { campus.paths == ["/catalog"] }
        #expect(!campus.motherboard.isLive(Session.id))
    }

    @Test(.rule("B57"))
    func `features contribute to the bar and the dashboard, session features only during the session`() async {
        var bar: [String] { campus.motherboard.contributions(to: .barEntries).map(\.title) }
        #expect(bar == ["Campus shop"])
        campus.server.user = "ada"
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        #expect(bar == ["Dashboard", "Campus shop", "Settings"])
        for tile in ["Write a message", "Campus shop"] { #expect(campus.section("tiles").contains(tile)) }
        await campus.server.account?.signOut()
        await campus.shows("Sign in")
        #expect(bar == ["Campus shop"])
    }
}
