import Backplane
import BackplaneTesting
import CampusFlows
import CampusModels
import ComposerInterface
import CourseInterface
import DashboardInterface
import LoginInterface
import SettingsInterface
import SignOutInterface
import Testing

/// Campus's gates and flows by themselves: every board is a stand-in.
@MainActor
struct FlowsTests {
    @Test func `B31, B41: signed out, a course waits at the login and then opens`() {
        let test = TestMotherboard()
        test.motherboard.install(CampusFlows())
        let login = test.stub(.login)
        let course = test.stub(.course)

        #expect(test.motherboard.activate(.course, with: "abc123").state == .waiting)
        test.expect(.waiting(.course, with: "abc123"), .activated(.login))
        #expect(course.inputs.isEmpty)

        login.complete(sending: "ada")
        test.expect(
            .output(.login, "ada"),
            .gateOpened(.course),
            .activated(.course, with: "abc123"),
            .completed(.login)
        )
    }

    @Test func `M4: the dashboard leads to the settings, and the settings out`() {
        let test = TestMotherboard(.relaxed)
        test.motherboard.install(CampusFlows())
        test.stub(.login) { _, login in login.complete(sending: "ada") }
        let dashboard = test.stub(.dashboard)
        let settings = test.stub(.settings)
        test.stub(.signOut)

        test.motherboard.activate(.dashboard, with: "ada")
        dashboard.send(.settings)
        test.expect(.output(.dashboard, .settings), .activated(.settings))
        settings.send(.logOut)
        test.expect(.output(.settings, .logOut), .activated(.signOut))
    }

    @Test func `M4, M6: a message is written and sent, and the dashboard is told`() {
        let test = TestMotherboard(.relaxed)
        test.motherboard.install(CampusFlows())
        test.stub(.login) { _, login in login.complete(sending: "ada") }
        let dashboard = test.stub(.dashboard)
        let composer = test.stub(.composer)

        test.motherboard.activate(.dashboard, with: "ada")
        dashboard.send(.compose)
        test.expect(.gateOpened(.dashboard), .output(.dashboard, .compose), .activated(.composer))

        composer.complete(sending: .sent("1"))
        test.expect(.output(.composer, .sent("1")), .command(.dashboard, .refresh), .completed(.composer))
        #expect(dashboard.commands == [.refresh])
    }
}
