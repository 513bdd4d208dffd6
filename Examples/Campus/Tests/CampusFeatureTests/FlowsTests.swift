import Backplane
import BackplaneTesting
import CampusAccounts
import CampusFlows
import CampusModels
import CampusTestTools
import CatalogInterface
import ComposerInterface
import CourseInterface
import DashboardInterface
import LoginInterface
import ProductInterface
import RootInterface
import Testing

@testable import CampusAssembly

/// Tests of Campus's flows with stand-ins for all boards.
@MainActor
struct FlowsTests {
    private let test = TestMotherboard.onMain(exhaustive: false)

    init() {
        test.motherboard.install(CampusFlows())
        test.stub(Login.id) { _, login in login.complete(sending: CannedAccount()) }
        test.stub(Session.id) { _, session in session.inner.install(SessionFlows()) }
    }

    @Test(.rule("B41", "B56")) func `a course waits for the sign-in and then opens inside the session`() {
        let login = test.stub(Login.id)
        let course = test.stub(CoursePage.id)
        let activation = test.motherboard.activate(CoursePage.id, with: "abc123")
        #expect(activation.state == .waiting)
        #expect(course.inputs.isEmpty)
        login.complete(sending: CannedAccount())
        #expect(activation.state == .active)
        #expect(course.inputs == ["abc123"])
        test.motherboard.complete(Session.id)
        #expect(activation.state == .completed)
    }

    @Test(.rule("M4", "M5")) func `a message leads home, unless there is a dashboard below it`() {
        var actions: [AppAction] = []
        test.motherboard.registerGeneralFlow { (action: AppAction, _) in actions.append(action) }
        let dashboard = test.stub(Dashboard.id)
        let composer = test.stub(Composer.id)
        test.motherboard.activate(Composer.id, with: "Hello")
        composer.complete(sending: .sent("1"))
        #expect(actions == [.returnHome])
        test.motherboard.activate(Dashboard.id)
        #expect(dashboard.inputs.count == 1)
        test.motherboard.activate(Composer.id, with: "")
        composer.complete(sending: .cancelled)
        #expect(actions == [.returnHome])
    }

    @Test(.rule("M5")) func `the catalog opens a product, and the product opens a message inside the session`() {
        let catalog = test.stub(Catalog.id)
        let product = test.stub(ProductPage.id)
        let composer = test.stub(Composer.id)
        test.motherboard.activate(Catalog.id)
        catalog.send("cards")
        #expect(product.inputs == ["cards"])
        product.send("About Punched Cards: ")
        #expect(composer.inputs == ["About Punched Cards: "])
        #expect(test.motherboard.isLive(Session.id))
    }
}
