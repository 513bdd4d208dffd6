import TestSupport
import Testing

@testable import Backplane

/// A denial runs the denial flows of the nearest motherboard that has any.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct DenialFlowTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()
    let logins = Asked<Doorkeeper>()

    init() {
        motherboard.probe(.login, notedIn: logins)
        motherboard.probe(.first)
        motherboard.probe(.second)
        motherboard.gate(.first, by: .login) { $0 ? .open : .closed }
    }

    private func hear(on motherboard: Motherboard, as name: String) {
        motherboard.registerDenialFlow { [journal] denial, given in
            #expect(given === motherboard)
            journal.note("\(name): \(denial.board) \(denial.gate) \(denial.reason)")
        }
    }

    @Test(.rule("B51")) func `a denial flow receives the board, the gate and the reason`() {
        hear(on: motherboard, as: "root")
        motherboard.activate(.first, with: 1)
        logins.boards[0].send(false)
        #expect(journal.lines == ["root: first login closed"])
    }

    @Test(.rule("B51")) func `a denied link reaches the denial flow`() {
        motherboard.registerLink("first/{n}", to: .first)
        hear(on: motherboard, as: "root")
        #expect(motherboard.open("/first/7") == .waiting)
        logins.boards[0].complete()
        #expect(journal.lines == ["root: first login gateDone"])
    }

    @Test(.rule("B51")) func `a denied result is thrown to its caller and reaches no denial flow`() async {
        hear(on: motherboard, as: "root")
        let caller = Task { try await motherboard.result(of: .first, with: 1) }
        await logins.board(0).send(false)
        let error = await #expect(throws: BoardError.self) { try await caller.value }
        #expect(error?.denial == Denial(of: .first, by: .login, .closed))
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B51", "B59")) func `a denial flow with a target stops outer denial flows while the target is alive`() {
        let inner = motherboard.makeInner()
        hear(on: motherboard, as: "root")
        var target: Journal? = Journal()
        inner.registerDenialFlow(weak: target ?? journal) { target, denial in target.note("\(denial.board)") }
        inner.activate(.first, with: 1)
        logins.boards[0].send(false)
        #expect(target?.lines == ["first"])
        #expect(journal.lines.isEmpty)
        weak let gone = target
        target = nil
        #expect(gone == nil)
        inner.activate(.first, with: 1)
        logins.boards[1].send(false)
        #expect(journal.lines == ["root: first login closed"])
    }

    @Test(.rule("B33")) func `a completed motherboard releases its denial flows`() {
        weak var captured: Journal?
        let motherboard = Motherboard()
        do {
            let journal = Journal()
            captured = journal
            motherboard.registerDenialFlow { _, _ in journal.note("heard") }
        }
        #expect(captured != nil)
        motherboard.complete()
        #expect(captured == nil)
    }

    // MARK: Order

    private func noteEvents(of motherboard: Motherboard) {
        motherboard.observe { [journal] event in
            guard [.waiting, .activated, .gateDenied, .completed].contains(event.kind) else { return }
            journal.note(
                ([event.kind.description] + [event.board, event.gate].compactMap { $0?.name }).joined(separator: " ")
            )
        }
        motherboard.registerDenialFlow { [journal] denial, _ in journal.note("flow denied \(denial.board)") }
    }

    @Test(.rule("B32", "B51")) func `if an answer closes a gate, its flows fire in the order of the table`() {
        let questions = Asked<Question>()
        motherboard.probe(.confirm, notedIn: questions)
        motherboard.gate(.second, by: .confirm, with: "Sure?") { $0 ? .open : .closed }
        motherboard.registerFlow(from: .confirm) { [journal] _, _ in journal.note("flow sent") }
        motherboard.registerCompletionFlow(.confirm) { [journal] _, _ in journal.note("flow completed") }
        noteEvents(of: motherboard)
        motherboard.activate(.second, with: 1)
        questions.boards[0].send(false)
        #expect(
            journal.lines == [
                "waiting second confirm", "activated confirm",
                "flow sent", "gateDenied second confirm", "completed confirm", "flow completed", "flow denied second",
            ]
        )
    }

    @Test(.rule("B56", "B51")) func `a sign-in that the user leaves denies a board inside two scopes`() {
        let campus = Campus(.onMain())
        noteEvents(of: campus.motherboard)
        campus.motherboard.activate(.project, with: 7)
        campus.signIns.boards[0].complete(.cancelled)
        #expect(
            journal.lines == [
                "waiting project organization", "waiting organization session", "waiting session signIn",
                "activated signIn", "completed signIn",
                "gateDenied session signIn", "gateDenied organization session", "gateDenied project organization",
                "flow denied project",
            ]
        )
    }
}
