import Backplane
import BackplaneTesting
import Testing

@MainActor struct StandInCallers {
    @Test func `an exhaustive test asserts every event`() async {
        let test = TestMotherboard()
        let login = test.stub(.login)
        let dashboard = test.stub(.dashboard, reuse: .perActivation) { _, slot in slot.send("here") }
        test.motherboard.registerFlowSteps(.login ->>> .dashboard)

        test.motherboard.activate(.login)
        login.complete(sending: User.ID(rawValue: "ada"))
        test.expect(
            .activated(.login),
            .output(.login, User.ID(rawValue: "ada")),
            .activated(.dashboard) { $0.rawValue == "ada" },
            .completed(.login),
            .unhandledOutput(.dashboard, "here")
        )
        #expect(dashboard.inputs.map(\.rawValue) == ["ada"])

        test.motherboard.send(.refresh, to: .dashboard)
        await test.receive(.command(.dashboard))
        dashboard.complete(.cancelled)
        await dashboard.activations(atLeast: 1)
        await test.settled()
        test.expect(.cancelled(.dashboard))
        test.finish()
    }

    @Test func `a relaxed test asserts some events`() {
        let test = TestMotherboard(.relaxed, ignoring: [.command])
        let search = TestBoard(.search, on: test.motherboard)
        test.motherboard.activate(.search, with: "engine")
        search.send(6)
        test.expect(.unhandledOutput(.search))
        #expect(search.isLive)
    }
}
