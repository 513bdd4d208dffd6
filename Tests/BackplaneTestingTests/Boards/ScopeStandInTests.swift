import Backplane
import BackplaneTesting
import TestSupport
import Testing

@Suite(.rule("B56"))
@MainActor struct ScopeStandInTests {
    let test = TestMotherboard.onMain()
    let swift = Course.ID(rawValue: "swift")

    @Test func `stand-ins take part in scopes, and every scope event is observed`() {
        let motherboard = test.motherboard
        motherboard.registerScope(.dashboard, enteredBy: .login) { $0 }
        motherboard.declare(.course, inside: .dashboard)
        let login = test.stub(.login)
        let dashboard = test.stub(.dashboard)
        let course = test.stub(.course)

        let activation = motherboard.activate(.course, with: swift)
        test.expect(.waiting(.course, with: swift), .waiting(.dashboard), .activated(.login))
        login.send("ada")
        test.expect(
            .output(.login, "ada"),
            .gateOpened(.dashboard),
            .activated(.dashboard, with: "ada"),
            .gateOpened(.course),
            .activated(.course, with: swift)
        )
        #expect(activation.state == .active)
        #expect(course.inputs == [swift])
        login.send("eve")
        test.expect(.output(.login, "eve"), .droppedEntrance(.dashboard))
        dashboard.complete()
        test.expect(.cancelled(.course), .completed(.dashboard))
        test.finish()
    }
}
