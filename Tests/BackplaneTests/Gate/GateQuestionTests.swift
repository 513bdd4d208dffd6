import Backplane
import TestSupport
import Testing

/// A gate opens only on a response to its own question.
@MainActor
struct GateQuestionTests {
    let motherboard = Motherboard.onMain()
    let questions = Asked<Question>()
    let journal = Journal()

    init() {
        for id in [BoardID<GuardedPage>.camera, .admin, .form] { motherboard.probe(id, notedIn: journal) }
    }

    @Test(.rule("B32")) func `a queued response does not open a question asked later`() {
        var states: [Activation<GuardedPage>] = []
        motherboard.probe(.permission) { [questions] board, question in
            questions.note(board, question)
            if question == "camera?" { board.send(true) }
        }
        motherboard.gate(.camera, by: .permission, with: "camera?") { $0 ? .open : .closed }
        motherboard.gate(.admin, by: .permission, with: "admin?") { $0 ? .open : .closed }
        motherboard.probe(.start) { board, _ in
            states = [board.nextToBoard(.camera), board.nextToBoard(.admin)]
        }
        motherboard.activate(.start)
        #expect(questions.inputs == ["camera?", "admin?"])
        #expect(journal.lines == ["camera"])
        #expect(states.map(\.state) == [.active, .waiting])
        questions.boards[1].send(false)
        #expect(states[1].state == .denied(Denial(of: .admin, by: .permission, .closed)))
        #expect(journal.lines == ["camera"])
    }

    @Test(.rule("B32")) func `a response to the question of another caller does not open the gate`() {
        motherboard.probe(.confirm, notedIn: questions)
        motherboard.gate(.admin, by: .confirm, with: "Delete?") { $0 ? .open : .closed }
        let delete = motherboard.activate(.admin)
        motherboard.activate(.confirm, with: "Show tips?")
        #expect(questions.inputs == ["Delete?", "Show tips?"])
        #expect(questions.boards[0] !== questions.boards[1])
        questions.boards[1].send(true)
        #expect(delete.state == .waiting)
        #expect(journal.lines.isEmpty)
        questions.boards[0].send(true)
        #expect(delete.state == .active)
    }

    @Test(.rule("B32")) func `a live board's response to an earlier question does not open a later question`() {
        motherboard.probe(.confirm, notedIn: questions)
        motherboard.gate(.admin, by: .confirm, with: "Delete?") { $0 ? .open : .closed }
        motherboard.activate(.confirm, with: "Show tips?")
        let delete = motherboard.activate(.admin)
        questions.boards[0].send(true)
        #expect(delete.state == .waiting)
        questions.boards[1].send(false)
        #expect(delete.state == .denied(Denial(of: .admin, by: .confirm, .closed)))
    }

    @Test(.rule("B32")) func `a response sent before the question does not open a shared gate`() {
        let keeper = Asked<Doorkeeper>()
        motherboard.probe(.login, notedIn: keeper)
        motherboard.gate(.admin, by: .login) { $0 ? .open : .closed }
        var admin: Activation<GuardedPage>?
        motherboard.activate(.login)
        motherboard.probe(.start) { board, _ in
            keeper.boards[0].send(true)
            admin = board.nextToBoard(.admin)
        }
        motherboard.activate(.start)
        #expect(admin?.state == .waiting)
        #expect(keeper.boards.count == 2)
        keeper.boards[1].send(true)
        #expect(admin?.state == .active)
    }

    @Test(.rule("B32")) func `a denial tells the question in front of a board from the one in front of its gate board`()
    {
        motherboard.probe(.confirm, notedIn: questions)
        motherboard.gate(.admin, by: .confirm, with: "Delete?") { $0 ? .open : .closed }
        motherboard.gate(
            .confirm,
            by: .confirm,
            asking: { $0 == "Really?" ? nil : "Really?" },
            verdict: { $0 ? .open : .closed }
        )
        let delete = motherboard.activate(.admin)
        #expect(questions.inputs == ["Really?"])
        questions.boards.first?.send(false)
        let inner = Denial(of: .confirm, by: .confirm, .closed)
        #expect(delete.state == .denied(Denial(of: .admin, by: .confirm, .gateDenied(inner))))
    }
}
