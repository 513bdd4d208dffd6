import Backplane
import BackplaneNavigation
import CampusTestTools
import Screens
import Testing

/// A test of a whole visit, from the first page to the sign-out.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct StoryTests {
    private let campus = HeadlessCampus()

    @Test(.rule("B42")) func `every output and action of a complete visit is handled`() async {
        var unheard: [BoardEvent] = []
        let failures: Set<BoardEvent.Kind> = [
            .unhandledOutput, .unhandledAction, .droppedOutput, .noSuchBoard, .gateDenied,
        ]
        campus.motherboard.observe { if failures.contains($0.kind) { unheard.append($0) } }

        campus.motherboard.open("/")
        await campus.signIn()
        await campus.shows("Dashboard")
        await campus.until { campus.section("week").contains("appointments") }
        campus.compose()
        await campus.shows("New message")
        campus.press("add-recipients", ["text": "Hello"])
        await campus.shows("Recipients")
        campus.press("choose", ["contact-grace": "on"])
        await campus.shows("New message")
        campus.press("send")
        await campus.shows("Dashboard")
        campus.press("open", ["course": "abc123"])
        await campus.shows("Engines")
        campus.navigator.back(to: "/")
        campus.motherboard.open("/catalog")
        await campus.shows("Campus shop")
        campus.press("open", ["product": "cards"])
        await campus.shows("Punched Cards")
        campus.navigator.back(to: "/")
        await campus.shows("Dashboard")
        campus.motherboard.open("/settings")
        await campus.shows("Settings")
        campus.press("end", ["session": "there"])
        await campus.until { campus.server.sessions.count == 2 }
        await campus.shows("Settings")
        campus.press("end", ["session": "here"])
        await campus.until { campus.server.user == nil }
        #expect(unheard.map(\.message) == [])
    }
}
