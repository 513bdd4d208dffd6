import Backplane
import TestSupport
import Testing

/// A gate does not apply to the activations that its gate board makes in order to respond.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct GateOwnWorkTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()
    let logins = Asked<Doorkeeper>()

    init() {
        for id in [BoardID<GuardedPage>.form, .camera] { motherboard.probe(id, notedIn: journal) }
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
        #expect(logins.boards.count == 1)
        #expect(motherboard.isCalm)
    }

    @Test(.rule("B82")) func `if a gate board is activated by a board that it has activated, it is still asked`() {
        registerLogin { _ in }
        let camera = motherboard.activate(.camera)
        motherboard.probe(.start) { board, _ in board.nextToBoard(.login) }
        logins.boards[0].nextToBoard(.start)
        #expect(logins.boards.count == 2)
        #expect(logins.boards[0] === logins.boards[1])
        #expect(camera.state == .waiting)
        #expect(logins.boards[1].nextToBoard(.camera).state == .active, "the login still works for its own answer")
        logins.boards[1].send(true)
        #expect(camera.state == .active)
        #expect(journal.lines == ["camera", "camera"])
    }
}
