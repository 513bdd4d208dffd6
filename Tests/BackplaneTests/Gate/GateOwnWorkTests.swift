import Backplane
import TestSupport
import Testing

/// A gate does not apply to the activations that its gate board makes in order to respond.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct GateOwnWorkTests {
    let motherboard = Motherboard.onMain(turnBudget: 200)
    let journal = Journal()
    let logins = Asked<Doorkeeper>()
    let events: EventRecord

    init() {
        events = motherboard.observeEvents()
        for id in [BoardID<GuardedPage>.form, .camera] { motherboard.probe(id, notedIn: journal) }
        motherboard.probe(.dashboard) { [journal] _, isNew in journal.note("dashboard \(isNew)") }
        motherboard.gateAll(by: .login) { $0 ? .open : .closed }
    }

    /// Registers a login that runs `work` at each activation.
    private func registerLogin(_ work: @escaping (ProbeBoard<Doorkeeper>) -> Void) {
        motherboard.probe(.login) { [logins] board, _ in
            logins.note(board, ())
            // Stops a recursion that would otherwise overflow the stack.
            if logins.boards.count < 20 { work(board) }
        }
    }

    private func expectOneLogin() {
        #expect(logins.boards.count == 1)
        #expect(events.boards(.turnBudgetExceeded).isEmpty)
        #expect(motherboard.isCalm)
    }

    // MARK: Activations by the gate board

    @Test(.rule("B49")) func `a sibling activated by the gate board enters at once, and other activations wait`() {
        registerLogin { $0.nextToBoard(.form) }
        let camera = motherboard.activate(.camera)
        #expect(logins.boards.count == 1)
        #expect(journal.lines == ["form"])
        #expect(camera.state == .waiting)
        #expect(motherboard.activate(.form).state == .waiting, "the gate is open for the login only")
        logins.boards[0].send(true)
        #expect(camera.state == .active)
        #expect(journal.lines == ["form", "camera", "form"])
        expectOneLogin()
    }

    @Test(.rule("B49")) func `boards inside the gate board enter at once at any depth`() {
        let container = BoardID<GuardedPage>("container")
        var inside: Activation<GuardedPage>?
        motherboard.probe(container) { board, _ in inside = board.inner.activate(.form) }
        registerLogin { $0.inner.activate(container) }
        let camera = motherboard.activate(.camera)
        #expect(inside?.state == .active)
        #expect(camera.state == .waiting)
        #expect(logins.boards.count == 1)
        logins.boards[0].send(true)
        #expect(camera.state == .active)
        expectOneLogin()
    }

    @Test(.rule("B49")) func `a sibling activated by the gate board enters other boards until the gate responds`() {
        var form: ProbeBoard<GuardedPage>?
        motherboard.register(.form, replacing: true) { slot in ProbeBoard(slot: slot) { board, _ in form = board } }
        registerLogin { $0.nextToBoard(.form) }
        let admin = BoardID<GuardedPage>.admin
        motherboard.probe(admin, notedIn: journal)
        motherboard.activate(.camera)
        #expect(form?.nextToBoard(admin).state == .active)
        logins.boards[0].send(true)
        #expect(form?.nextToBoard(admin).state == .waiting, "the form acts for the login until the login responds")
    }

    @Test(.rule("B49")) func `a commanded board passes the gate only if the gate board activated that board`() {
        var doors: [ActivationState?] = []
        let helper = BoardID<Numbers>("helper")
        motherboard.probe(
            helper,
            onActivate: { _, _ in },
            onCommand: { board, _ in doors.append(board.nextToBoard(.form).state) }
        )
        registerLogin { $0.send(1, to: helper) }
        motherboard.gateAll(by: .login, except: helper, replacing: true) { $0 ? .open : .closed }
        motherboard.activate(helper, with: 0)
        motherboard.activate(.camera)
        #expect(doors == [.waiting])
        motherboard.complete(helper)
        logins.boards[0].nextToBoard(helper, with: 0)
        motherboard.send(1, to: helper)
        #expect(doors == [.waiting, .active], "the login has activated the helper")
    }

    @Test(.rule("B49")) func `a board that another caller activates again no longer acts for the gate board`() {
        var form: ProbeBoard<GuardedPage>?
        motherboard.register(.form, replacing: true) { slot in ProbeBoard(slot: slot) { board, _ in form = board } }
        motherboard.gateAll(by: .login, except: .form, replacing: true) { $0 ? .open : .closed }
        registerLogin { $0.nextToBoard(.form) }
        motherboard.activate(.camera)
        #expect(form?.nextToBoard(.dashboard, with: true).state == .active)
        motherboard.activate(.form)
        #expect(form?.nextToBoard(.dashboard, with: true).state == .waiting)
    }

    @Test(.rule("B49")) func `a gate board activated directly is asked again for its own activations`() {
        registerLogin { $0.nextToBoard(.form) }
        let login = motherboard.activate(.login)
        #expect(login.state == .superseded, "the gate of its own form activates the login again")
        #expect(logins.boards.count == 2)
        #expect(journal.lines == ["form"], "the form of the asked login enters")
        logins.boards[0].send(true)
        #expect(journal.lines == ["form", "form"])
    }

    @Test(.rule("B49")) func `a gate board that responds during its activation can activate boards before and after`() {
        registerLogin { login in
            login.nextToBoard(.form)
            login.send(true)
            login.nextToBoard(.form)
        }
        #expect(motherboard.activate(.camera).state == .active)
        #expect(journal.lines == ["form", "form", "camera"])
        expectOneLogin()
    }

    // MARK: Flows from the gate board

    @Test(.rule("B49")) func `a flow from the gate board enters a board behind the gate`() {
        registerLogin { $0.send(true) }
        motherboard.registerFlow(from: .login) { _, motherboard in motherboard.activate(.form) }
        #expect(motherboard.activate(.camera).state == .active)
        #expect(journal.lines == ["form", "camera"])
        expectOneLogin()
    }

    @Test(.rule("B49")) func `a flow step from the gate board enters a board behind the gate`() {
        registerLogin { $0.send(true) }
        motherboard.registerFlowSteps(.login ->>> .dashboard)
        #expect(motherboard.activate(.camera).state == .active)
        #expect(journal.lines == ["dashboard true", "camera"])
        expectOneLogin()
    }

    @Test(.rule("B49")) func `a mapping flow from the gate board enters a board behind the gate`() {
        registerLogin { $0.send(true) }
        motherboard.registerFlow(from: .login, to: .dashboard) { !$0 }
        #expect(motherboard.activate(.camera).state == .active)
        #expect(journal.lines == ["dashboard false", "camera"])
        expectOneLogin()
    }

    @Test(.rule("B49")) func `a combined flow from the gate board enters a board behind the gate`() {
        registerLogin { $0.send(true) }
        motherboard.registerCombinedFlow(.login) { motherboard, isNew in motherboard.activate(.dashboard, with: isNew) }
        #expect(motherboard.activate(.camera).state == .active)
        #expect(journal.lines == ["dashboard true", "camera"])
        expectOneLogin()
    }

    @Test(.rule("B49")) func `a general flow for the gate board's action enters a board behind the gate`() {
        registerLogin { login in
            login.sendAction(Wish.returnHome)
            login.send(true)
        }
        motherboard.registerGeneralFlow { (_: Wish, motherboard) in motherboard.activate(.form) }
        #expect(motherboard.activate(.camera).state == .active)
        #expect(journal.lines == ["form", "camera"])
        expectOneLogin()
    }

    @Test(.rule("B49")) func `a flow from a board activated by the gate board enters a board behind the gate`() {
        motherboard.register(.form, replacing: true) { slot in ProbeBoard(slot: slot) { board, _ in board.send("ok") } }
        registerLogin { $0.nextToBoard(.form) }
        motherboard.registerFlow(from: .form) { _, motherboard in motherboard.activate(.dashboard, with: true) }
        motherboard.activate(.camera)
        #expect(journal.lines == ["dashboard true"])
        #expect(logins.boards.count == 1)
    }

    @Test(.rule("B49")) func `a flow of a closed gate enters its board, and the waiting activation is denied`() {
        registerLogin { $0.send(false) }
        motherboard.registerFlow(from: .login) { _, motherboard in motherboard.activate(.form) }
        #expect(motherboard.activate(.camera).state == .denied(Denial(of: .camera, by: .login, .closed)))
        #expect(journal.lines == ["form"])
        expectOneLogin()
    }

    @Test(.rule("B49")) func `a board commanded by a flow of the gate board does not pass the gate`() {
        var doors: [ActivationState?] = []
        let helper = BoardID<Numbers>("helper")
        motherboard.probe(
            helper,
            onActivate: { _, _ in },
            onCommand: { board, _ in doors.append(board.nextToBoard(.form).state) }
        )
        motherboard.gateAll(by: .login, except: helper, replacing: true) { $0 ? .open : .closed }
        motherboard.registerFlow(from: .login) { _, motherboard in motherboard.send(1, to: helper) }
        registerLogin { _ in }
        motherboard.activate(helper, with: 0)
        motherboard.activate(.camera)
        logins.boards[0].send(false)
        #expect(doors == [.waiting])
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B49")) func `a flow from another board waits at the gate during a gate run`() {
        motherboard.gateAll(by: .login, except: .form, replacing: true) { $0 ? .open : .closed }
        motherboard.register(.form, replacing: true) { slot in ProbeBoard(slot: slot) { board, _ in board.send("x") } }
        motherboard.registerFlow(from: .form) { _, motherboard in motherboard.activate(.dashboard, with: true) }
        registerLogin { _ in }
        motherboard.activate(.camera)
        motherboard.activate(.form)
        #expect(journal.lines.isEmpty)
        logins.boards[0].send(false)
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B49")) func `a flow step to a live board behind the gate asks the gate again`() {
        motherboard.register(.form, replacing: true) { slot in ProbeBoard(slot: slot) { board, _ in board.send("x") } }
        motherboard.registerFlow(from: .form, to: .dashboard) { _ in true }
        registerLogin { $0.send(true) }
        motherboard.activate(.dashboard, with: false)
        #expect(logins.boards.count == 1)
        motherboard.activate(.form)
        #expect(logins.boards.count == 3, "once for the form, once for the step")
        #expect(journal.lines == ["dashboard false", "dashboard true"])
    }
}
