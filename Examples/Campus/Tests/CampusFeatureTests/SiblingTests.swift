import Backplane
import BackplaneNavigation
import BackplaneTesting
import CampusModels
import CampusTestTools
import CatalogInterface
import ComposerInterface
import DashboardInterface
import LoginInterface
import ProductInterface
import ProductModels
import Screens
import SettingsInterface
import Testing

/// Tests of boards that address others by themselves, without a flow.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct SiblingTests {
    private let campus = HeadlessCampus()

    init() {
        campus.server.user = "ada"
    }

    @Test(.rule("M5"), arguments: ["/", "/settings"])
    func `a board sends the sign-out up to the session, and knows nobody who handles it`(path: String) async {
        campus.motherboard.open(path)
        await campus.until { campus.navigator.top?.screen.isBusy == false }
        if path == "/" { campus.press("sign-out") } else { campus.press("end", ["session": "here"]) }
        await campus.until { campus.server.signOuts == 1 && !campus.motherboard.isLive(Session.id) }
    }

    @Test(.rule("M5")) func `a sign-out ends at the session, and reaches no board around it`() async {
        var seen = 0
        campus.motherboard.registerGeneralFlow { (_: SessionAction, _) in seen += 1 }
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        campus.press("sign-out")
        await campus.until { campus.server.signOuts == 1 }
        #expect(seen == 0)
    }

    @Test(.rule("M6")) func `the composer tells the dashboard to refresh when a message is sent, and only then`() async
    {
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        for event in ["cancel", "send"] {
            campus.compose()
            await campus.shows("New message")
            campus.server.courses = [Course(id: "lin201", title: "Algebra", summary: event)]
            if event == "send" {
                campus.press("add-recipients")
                await campus.shows("Recipients")
                campus.press("choose", ["contact-grace": "on"])
                await campus.shows("New message")
            }
            campus.press(event, ["text": event == "send" ? "Hello" : ""])
            await campus.shows("Dashboard")
            #expect(campus.section("courses").contains("Algebra") == (event == "send"))
        }
    }

    @Test(.rule("M5")) func `a product that does not exist leads to the shop by the board's next board`() async {
        campus.motherboard.open("/product/nope")
        await campus.shows("Product not found")
        (campus.navigator.top?.screen as? ProductModel)?.openShop()
        await campus.shows("Campus shop")
        #expect(campus.motherboard.isLive(Catalog.id))
    }
}
