@testable import Backplane
import TestSupport
import Testing

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

    @Test(.rule("B49")) func `two gates in front of each other deny`() {
        motherboard.gate(.form, by: .login) { _ in .open }
        motherboard.gate(.login, by: .terms) { _ in .open }
        motherboard.gate(.terms, by: .login) { _ in .open }
        let events = motherboard.observeEvents()
        #expect(motherboard.activate(.form).state == cycle(.form, by: .login, "login", "terms", "login"))
        #expect(events.boards(.gateDenied) == ["terms", "login", "form"])
        expectAsBefore()
        expectToWork {
            motherboard.gate(.login, by: .terms, unless: { true }, replacing: true) { _ in .open }
        }
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

    @Test(.rule("B49")) func `a board that is its own gate denies`() {
        motherboard.gate(.login, by: .login) { _ in .open }
        #expect(motherboard.activate(.login).state == cycle(.login, by: .login, "login", "login"))
        expectAsBefore()
    }

    @Test(.rule("B49")) func `a general gate denies if its gate board needs a board behind the same gate`() {
        motherboard.gateAll(by: .login) { _ in .open }
        motherboard.gate(.login, by: .terms) { _ in .open }
        #expect(motherboard.activate(.form).state == cycle(.form, by: .login, "login", "terms", "login"))
        expectAsBefore()
        motherboard.gateAll(by: .login, except: .terms, replacing: true) { _ in .open }
        #expect(motherboard.activate(.form).state == .waiting)
        #expect(journal.lines == ["terms"])
    }

    @Test(.rule("B49")) func `gates with input in a cycle deny`() {
        motherboard.gate(.form, by: .permission, with: "form?") { _ in .open }
        motherboard.gate(.permission, by: .confirm, with: "permission?") { _ in .open }
        motherboard.gate(.confirm, by: .permission, asking: { "about \($0)?" }, verdict: { _ in .open })
        let state = motherboard.activate(.form).state
        // The rules in front of the form and of the confirmation ask different questions.
        #expect(state == cycle(.form, by: .permission, "confirm", "permission", "confirm"))
        expectAsBefore()
    }

    @Test(.rule("B49")) func `a gate with input and a gate without input in a cycle deny`() {
        motherboard.gate(.form, by: .permission, with: "form?") { _ in .open }
        motherboard.gate(.permission, by: .login) { _ in .open }
        motherboard.gate(.login, by: .permission, with: "login?") { _ in .open }
        let state = motherboard.activate(.form).state
        #expect(state == cycle(.form, by: .permission, "login", "permission", "login"))
        #expect(
            motherboard.activate(.login).state == cycle(.login, by: .permission, "permission", "login", "permission")
        )
        expectAsBefore()
    }

    @Test(.rule("B49")) func `a cycle behind another gate is reported without that gate`() {
        motherboard.gate(.form, by: .age) { _ in .open }
        motherboard.gate(.age, by: .login) { _ in .open }
        motherboard.gate(.login, by: .terms) { _ in .open }
        motherboard.gate(.terms, by: .login) { _ in .open }
        let state = motherboard.activate(.form).state
        #expect(state == cycle(.form, by: .age, "login", "terms", "login"))
        expectAsBefore()
    }

    @Test(.rule("B49")) func `a cycle closed by a later gate denies all activations waiting in the cycle`() {
        let terms = Asked<Doorkeeper>()
        motherboard.register(.terms, replacing: true) { slot in ProbeBoard(slot: slot) { terms.note($0, $1) } }
        let ages = Asked<Doorkeeper>()
        motherboard.register(.age, replacing: true) { slot in ProbeBoard(slot: slot) { ages.note($0, $1) } }
        motherboard.gate(.form, by: .login) { _ in .open }
        motherboard.gate(.camera, by: .age) { _ in .open }
        motherboard.gate(.login, by: .terms) { _ in .open }
        motherboard.gate(.login, by: .age) { _ in .open }
        motherboard.gate(.age, by: .terms) { _ in .open }
        motherboard.gate(.age, by: .login) { _ in .open }
        let form = motherboard.activate(.form)
        let camera = motherboard.activate(.camera)
        #expect(terms.boards.count == 1, "both gate boards wait for the terms")
        terms.boards[0].send(true)
        #expect(form.state == cycle(.form, by: .login, "login", "age", "login"))
        #expect(camera.state == cycle(.camera, by: .age, "login", "age", "login"))
        #expect(motherboard.isCalm)
        #expect(!motherboard.isLive(.login))
        #expect(ages.boards.isEmpty)
    }

    @Test(.rule("B49")) func `a form that the login needs is denied if its terms already wait for the login`() {
        var login: ProbeBoard<Doorkeeper>?
        motherboard.register(.login, replacing: true) { slot in ProbeBoard(slot: slot) { board, _ in login = board } }
        motherboard.gate(.camera, by: .login) { $0 ? .open : .closed }
        motherboard.gate(.terms, by: .login) { $0 ? .open : .closed }
        motherboard.gate(.form, by: .terms) { $0 ? .open : .closed }
        let camera = motherboard.activate(.camera)
        let someForm = motherboard.activate(.form)
        #expect(someForm.state == .waiting, "the terms of this form wait for the login")
        let form = login?.nextToBoard(.form)
        #expect(form?.state == cycle(.form, by: .terms, "terms", "login", "terms"))
        #expect(someForm.state == .waiting)
        login?.send(true)
        #expect(camera.state == .active)
        #expect(journal.lines == ["camera", "terms"])
        motherboard.complete(.terms)
        #expect(someForm.state == .denied(Denial(of: .form, by: .terms, .gateDone)))
        #expect(motherboard.isCalm)
    }

    @Test(.rule("B49")) func `a form that the login needs enters if its terms are first asked for that form`() {
        var login: ProbeBoard<Doorkeeper>?
        var terms: ProbeBoard<Doorkeeper>?
        motherboard.register(.login, replacing: true) { slot in ProbeBoard(slot: slot) { board, _ in login = board } }
        motherboard.register(.terms, replacing: true) { slot in ProbeBoard(slot: slot) { board, _ in terms = board } }
        motherboard.gate(.camera, by: .login) { $0 ? .open : .closed }
        motherboard.gate(.terms, by: .login) { $0 ? .open : .closed }
        motherboard.gate(.form, by: .terms) { $0 ? .open : .closed }
        motherboard.activate(.camera)
        let form = login?.nextToBoard(.form)
        #expect(form?.state == .waiting)
        terms?.send(true)
        #expect(form?.state == .active)
    }

    @Test(.rule("B49")) func `works of two questions that wait for each other deny, and the questions stay open`() {
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

    @Test(.rule("B49")) func `a question that is about to be denied is no part of a cycle`() {
        let (logins, terms) = (Asked<Doorkeeper>(), Asked<Doorkeeper>())
        motherboard.register(.terms, replacing: true) { slot in ProbeBoard(slot: slot) { terms.note($0, $1) } }
        motherboard.gate(.form, by: .login) { $0 ? .open : .closed }
        motherboard.gate(.camera, by: .terms) { $0 ? .open : .closed }
        var camera: Activation<GuardedPage>?
        var helper: ProbeBoard<GuardedPage>?
        motherboard.register(.admin) { slot in
            let board = ProbeBoard(slot: slot)
            helper = board
            return board
        }
        motherboard.register(.login, replacing: true) { slot in
            ProbeBoard(slot: slot) { board, _ in
                logins.note(board, ())
                // The second activation supersedes the question, whose work still goes on.
                if logins.boards.count == 2 { camera = helper?.nextToBoard(.camera) }
            }
        }
        motherboard.activate(.camera)
        motherboard.activate(.form)
        let form = terms.boards[0].nextToBoard(.form)
        logins.boards[0].nextToBoard(.admin)
        motherboard.activate(.login)
        #expect(form.state == .denied(Denial(of: .form, by: .login, .gateSuperseded)))
        #expect(camera?.state == .waiting)
        terms.boards[0].send(true)
        #expect(camera?.state == .active)
    }

    @Test(.rule("B49")) func `a gate that would ask a board in its own factory denies as a cycle`() {
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

    @Test(.rule("B49")) func `a gate denied for another reason is not reported as a cycle`() {
        motherboard.gate(.form, by: .login) { _ in .open }
        motherboard.gate(.login, by: .terms) { _ in .closed }
        let form = motherboard.activate(.form)
        motherboard.complete(.terms, .cancelled)
        let inner = Denial(of: .login, by: .terms, .gateCancelled)
        #expect(form.state == .denied(Denial(of: .form, by: .login, .gateDenied(inner))))
        #expect(motherboard.isCalm)
    }

    @Test(.rule("B49")) func `gates in a cycle deny activations on a nested motherboard`() {
        let inner = motherboard.makeInner()
        motherboard.gate(.form, by: .login) { _ in .open }
        motherboard.gate(.login, by: .terms) { _ in .open }
        motherboard.gate(.terms, by: .login) { _ in .open }
        #expect(inner.activate(.form).state == cycle(.form, by: .login, "login", "terms", "login"))
        inner.gate(.camera, by: .age) { _ in .open }
        inner.gate(.age, by: .permission, with: "age?") { _ in .open }
        inner.gate(.permission, by: .age) { _ in .open }
        #expect(inner.activate(.camera).state == cycle(.camera, by: .age, "age", "permission", "age"))
        #expect(inner.isCalm)
        #expect(inner.snapshot().boards.isEmpty)
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B49")) func `a result throws if a cycle of gates denies the board`() async {
        motherboard.gate(.form, by: .login) { _ in .open }
        motherboard.gate(.login, by: .login) { _ in .open }
        let error = await #expect(throws: BoardError.self) { try await motherboard.result(of: .form) }
        #expect(error?.denial.map { .denied($0) } == cycle(.form, by: .login, "login", "login"))
        expectAsBefore()
    }
}
