import Backplane
import BackplaneNavigation
import BackplaneTesting
import CampusModels
import CampusTestTools
import LoginInterface
import Screens
import SettingsInterface
import Testing

/// Tests of the settings: the user, and the user's sessions.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SettingsFlowTests {
    private let campus = HeadlessCampus()

    /// Opens the settings of a signed-in user, and waits until they are loaded.
    private func open() async {
        campus.server.user = "ada"
        campus.motherboard.open("/settings")
        await campus.shows("Settings")
    }

    @Test(.rule("B31", "B41")) func `a link to the settings waits for the sign-in while signed out`() async {
        #expect(campus.motherboard.open("/settings") == .waiting)
        await campus.signIn()
        await campus.shows("Settings")
        #expect(campus.paths == ["/settings"])
    }

    @Test func `the settings lead back to the dashboard`() async {
        campus.server.user = "ada"
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        campus.motherboard.open("/settings")
        await campus.shows("Settings")
        #expect(campus.paths == ["/", "/settings"])
        #expect(campus.navigator.back(to: "/"))
        #expect(campus.title == "Dashboard")
    }

    @Test(.rule("M16")) func `the known user shows until a sync replaces the data`() async {
        campus.server.userName = "Ada King"
        campus.server.isUserBroken = true
        await open()
        #expect(campus.section("user").contains(#"name: "Ada", email: "ada@campus.example""#))

        campus.press("sync")
        await campus.shows("Settings")
        #expect(campus.section("user").contains("No answer."))
        #expect(campus.section("user").contains(#"name: "Ada""#), "the known user stays")

        campus.server.isUserBroken = false
        campus.press("retry", ["section": "user"])
        await campus.shows("Settings")
        #expect(campus.section("user").contains(#"name: "Ada King""#))
        #expect(!campus.section("user").contains("No answer."))
    }

    @Test(.rule("M16")) func `a sync changes the greeting in every window of the user`() async throws {
        campus.server.user = "ada"
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        let other = HeadlessCampus(server: campus.server)
        other.motherboard.activate(Session.id, with: try #require(campus.server.account))
        other.motherboard.open("/")
        await other.shows("Dashboard")
        let loads = campus.server.loads

        campus.server.userName = "Ada King"
        await open()
        campus.press("sync")
        await other.until { other.section("user").contains("Ada King") }
        await campus.shows("Settings")
        campus.navigator.back(to: "/")
        #expect(campus.section("user").contains("Ada King"))
        await other.shows("Dashboard")
        for _ in 1...100 { await Task.yield() }
        #expect(campus.server.loads == loads + 2, "one load of each window: no window answers a report by another one")
    }

    @Test(.rule("M13")) func `sessions that fail to load can be retried separately`() async {
        campus.server.areSessionsBroken = true
        await open()
        #expect(campus.section("sessions").contains("No list."))
        #expect(campus.section("user").contains("Ada"))
        campus.server.areSessionsBroken = false
        campus.press("retry", ["section": "sessions"])
        await campus.shows("Settings")
        #expect(!campus.section("sessions").contains("No list."))
        for text in ["Firefox on Linux", "Unknown client", "1970-01-01 00:00:00 UTC"] {
            #expect(campus.section("sessions").contains(text))
        }
    }

    @Test func `ending another session removes only that session from the list`() async {
        await open()
        campus.press("end", ["session": "there"])
        await campus.until { !campus.section("sessions").contains("there") }
        await campus.shows("Settings")
        #expect(campus.server.sessions.map(\.id) == ["here", "elsewhere"])
        #expect(campus.server.signOuts == 0)
    }

    @Test func `a session that cannot be ended shows the reason, and the list is reloaded`() async {
        await open()
        campus.server.sessions.removeAll { $0.id == "there" }
        campus.press("end", ["session": "there"])
        await campus.until { campus.section("sessions").contains("There is no such session.") }
        await campus.shows("Settings")
        #expect(!campus.section("sessions").contains(#""there""#))
        campus.press("end", ["session": "elsewhere"])
        await campus.until { campus.server.sessions.map(\.id) == ["here"] }
        await campus.shows("Settings")
        #expect(!campus.section("sessions").contains("There is no such session."))
    }

    @Test func `all other sessions can be ended at once`() async {
        await open()
        campus.press("end-others")
        await campus.until { campus.section("sessions").contains("hasOthers: false") }
        #expect(campus.server.sessions.map(\.id) == ["here"])
    }

    @Test func `ending the current session signs out`() async {
        await open()
        campus.press("end", ["session": "here"])
        await campus.until { campus.server.signOuts == 1 }
        #expect(campus.server.sessions.count == 3, "the sign-out ends the session, not the settings")
    }

    @Test func `an unknown session or event changes nothing`() async {
        await open()
        for fields in [[:], ["session": ""], ["session": "nothing"]] { campus.press("end", fields) }
        campus.press("nonsense")
        #expect(campus.navigator.top?.screen.isBusy == false)
        #expect(campus.server.sessions.count == 3)
    }

    @Test(.rule("B28")) func `the board completes when its screen leaves`() async {
        campus.server.user = "ada"
        let settings = campus.motherboard.activate(Settings.id)
        await campus.shows("Settings")
        campus.navigator.close()
        #expect(settings.state == .completed)
        #expect("\(settings.completion, default: "none")" == "cancelled")
    }
}
