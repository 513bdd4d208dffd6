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
        await test.receive(.event(.command, .dashboard))
        dashboard.complete(.cancelled)
        await test.settled()
        test.expect(.cancelled(.dashboard))
    }

    @Test func `a relaxed test asserts some events`() {
        let test = TestMotherboard(exhaustive: false, ignoring: [.command])
        let search = test.stub(.search)
        test.motherboard.activate(.search, with: "engine")
        search.send(6)
        test.expect(.unhandledOutput(.search))
    }

    @Test func `a manual clock resumes sleepers, and a latch holds a task until it opens`() async throws {
        let (clock, latch) = (ManualClock(), AsyncLatch())
        let sleeper = Task {
            await latch.wait()
            try await clock.sleep(for: .seconds(5))
        }
        await latch.arrivals(atLeast: 1)
        latch.open()
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(5))
        try await sleeper.value
        #expect(clock.now.offset == .seconds(5))
    }
}
