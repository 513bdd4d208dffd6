import TestSupport
import Testing

@testable import Backplane

/// Gates that need one another deny with the cycle as the reason, so no activation waits forever.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct GateCycleTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    init() {
        for id in [BoardID<Doorkeeper>.login, .terms, .age] { motherboard.probe(id, notedIn: journal) }
        for id in [BoardID<Question>.permission, .confirm] { motherboard.probe(id, notedIn: journal) }
        for id in [BoardID<GuardedPage>.form, .camera] { motherboard.probe(id, notedIn: journal) }
    }

    private func cycle<Behind, Front>(
        _ board: BoardID<Behind>,
        by gate: BoardID<Front>,
        _ boards: String...
    ) -> ActivationState {
        .denied(Denial(of: board, by: gate, .cycle(boards.map { AnyBoardID(BoardID<Doorkeeper>($0)) })))
    }

    /// Checks that the denied activations leave nothing behind.
    private func expectAsBefore() {
        #expect(motherboard.snapshot().boards.isEmpty)
        for id in [BoardID<Doorkeeper>.login, .terms, .age] { #expect(!motherboard.isLive(id)) }
        for id in [BoardID<Question>.permission, .confirm] { #expect(!motherboard.isLive(id)) }
        #expect(journal.lines.isEmpty)
    }

    /// Breaks the cycle with `opening`, and checks that the gates then work as usual.
    private func expectToWork(after opening: () -> Void) {
        opening()
        let activation = motherboard.activate(.form)
        #expect(activation.state == .waiting)
        #expect(journal.lines == ["login"])
        motherboard.complete(.login)
        #expect(activation.state == .denied(Denial(of: .form, by: .login, .gateDone)))
    }

    @Test(.rule("B49")) func `three gates in a cycle deny at every entry point`() {
        motherboard.gate(.login, by: .terms) { _ in .open }
        motherboard.gate(.terms, by: .age) { _ in .open }
        motherboard.gate(.age, by: .login) { _ in .open }
        motherboard.gate(.form, by: .login) { _ in .open }
        #expect(motherboard.activate(.form).state == cycle(.form, by: .login, "login", "terms", "age", "login"))
        #expect(motherboard.activate(.login).state == cycle(.login, by: .terms, "terms", "age", "login", "terms"))
        #expect(motherboard.activate(.age).state == cycle(.age, by: .login, "login", "terms", "age", "login"))
        expectAsBefore()
        expectToWork {
            motherboard.gate(.terms, by: .age, unless: { true }, replacing: true) { _ in .open }
            motherboard.gate(.login, by: .terms, unless: { true }, replacing: true) { _ in .open }
        }
    }

    @Test(.rule("B49")) func `the report of a cycle does not contain another gate in front of the cycle`() {
        motherboard.gate(.form, by: .age) { _ in .open }
        motherboard.gate(.age, by: .login) { _ in .open }
        motherboard.gate(.login, by: .terms) { _ in .open }
        motherboard.gate(.terms, by: .login) { _ in .open }
        let state = motherboard.activate(.form).state
        #expect(state == cycle(.form, by: .age, "login", "terms", "login"))
        expectAsBefore()
    }

    @Test(.rule("B49")) func `work that waits for each other's question is denied, and the questions stay`() {
        let (logins, terms) = (Asked<Doorkeeper>(), Asked<Doorkeeper>())
        motherboard.register(.login, replacing: true) { slot in ProbeBoard(slot: slot) { logins.note($0, $1) } }
        motherboard.register(.terms, replacing: true) { slot in ProbeBoard(slot: slot) { terms.note($0, $1) } }
        motherboard.gate(.form, by: .login) { $0 ? .open : .closed }
        motherboard.gate(.camera, by: .terms) { $0 ? .open : .closed }
        let (form, camera) = (motherboard.activate(.form), motherboard.activate(.camera))
        let cameraOfLogin = logins.boards[0].nextToBoard(.camera)
        #expect(cameraOfLogin.state == .waiting)
        let formOfTerms = terms.boards[0].nextToBoard(.form)
        #expect(formOfTerms.state == cycle(.form, by: .login, "login", "terms", "login"))
        // Without the camera, nothing that the terms need waits for the login any longer.
        cameraOfLogin.complete()
        let laterFormOfTerms = terms.boards[0].nextToBoard(.form)
        #expect(laterFormOfTerms.state == .waiting)
        #expect(logins.boards[0].nextToBoard(.camera).state == cycle(.camera, by: .terms, "terms", "login", "terms"))
        logins.boards[0].send(true)
        #expect(laterFormOfTerms.state == .active)
        terms.boards[0].send(true)
        #expect(camera.state == .active)
        #expect(form.state == .superseded)
        #expect(motherboard.isCalm)
    }

    @Test(.rule("B49")) func `if a gate asks a board inside the factory of that board, the gate denies as a cycle`() {
        var form: Activation<GuardedPage>?
        motherboard.register(.login, replacing: true) { [motherboard] slot in
            form = motherboard.activate(.form)
            return ProbeBoard(slot: slot)
        }
        motherboard.gate(.form, by: .login) { _ in .open }
        #expect(motherboard.activate(.login).state == .active)
        #expect(form?.state == cycle(.form, by: .login, "login", "login"))
        #expect(motherboard.activate(.form).state == .waiting)
    }
}
