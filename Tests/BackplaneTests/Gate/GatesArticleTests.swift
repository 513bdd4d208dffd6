import Backplane
import TestSupport
import Testing

/// Statements of the articles about gates and scopes that a reader may take another way.
@MainActor
struct GatesArticleTests {
    private let campus = Campus(.onMain())
    private var motherboard: Motherboard { campus.motherboard }
    private let journal = Journal()
    private let logins = Asked<Doorkeeper>()
    private let questions = Asked<Question>()

    init() {
        motherboard.probe(.login, notedIn: logins)
        motherboard.probe(.confirm, notedIn: questions)
        motherboard.probe(.first)
        motherboard.observe { [journal] event in
            guard [.waiting, .activated, .gateDenied, .completed].contains(event.kind) else { return }
            let names = [event.board, event.gate].compactMap { $0?.name }
            journal.note("\(event.kind) \(names.joined(separator: " "))")
        }
        motherboard.registerDenialFlow { [journal] denial, _ in journal.note("flow denied \(denial.board)") }
    }

    // MARK: Gates

    @Test(.rule("B32", "B51")) func `the flows of a closing answer fire in the order of the table`() {
        motherboard.gate(.first, by: .confirm, with: "Sure?") { $0 ? .open : .closed }
        motherboard.registerFlow(from: .confirm) { [journal] _, _ in journal.note("flow sent") }
        motherboard.registerCompletionFlow(.confirm) { [journal] _, _ in journal.note("flow completed") }
        motherboard.activate(.first, with: 1)
        questions.boards[0].send(false)
        #expect(
            journal.lines == [
                "waiting first confirm", "activated confirm",
                "flow sent", "gateDenied first confirm", "completed confirm", "flow completed", "flow denied first",
            ]
        )
    }

    @Test(.rule("B32")) func `an activation of the gate board supersedes only when it enters`() {
        motherboard.gate(.first, by: .login) { $0 ? .open : .closed }
        motherboard.gate(.login, by: .confirm, with: "Terms?") { $0 ? .open : .closed }
        let first = motherboard.activate(.first, with: 1)
        questions.boards[0].send(true)
        let denied = motherboard.activate(.login)
        questions.boards[1].send(false)
        #expect(denied.state == .denied(Denial(of: .login, by: .confirm, .closed)))
        #expect(first.state == .waiting)
        motherboard.activate(.login)
        questions.boards[2].send(true)
        #expect(first.state == .denied(Denial(of: .first, by: .login, .gateSuperseded)))
    }

    // MARK: Scopes

    @Test(.rule("B56")) func `an activation made while the gate in front of the scope is asked shares the answer`() {
        motherboard.gate(.session, by: .confirm, with: "Accept?") { $0 ? .open : .closed }
        let early = motherboard.activate(.course, with: 1)
        campus.signIn("ada")
        let late = motherboard.activate(.course, with: 2)
        #expect(campus.logIns.boards.count == 1)
        questions.boards[0].send(false)
        let denial = Denial(of: .session, by: .confirm, .closed)
        #expect(early.state == .denied(Denial(of: .course, by: .session, .gateDenied(denial))))
        #expect(late.state == early.state)
        #expect(motherboard.isLive(.logIn))
    }

    @Test(.rule("B56")) func `the entrance is asked until a scope that the app activates has passed its gates`() {
        motherboard.gate(.session, by: .confirm, with: "Accept?") { $0 ? .open : .closed }
        let course = motherboard.activate(.course, with: 1)
        motherboard.activate(.session, with: Account("ada"))
        #expect(motherboard.isLive(.logIn))
        questions.boards[0].send(true)
        #expect(course.state == .active)
        #expect(!motherboard.isLive(.logIn))
    }

    @Test(.rule("B56"), arguments: [true, false])
    func `activations wait for the sign-in that passes the gate, and an earlier one never enters`(switching: Bool) {
        motherboard.registerScope(.session, enteredBy: .logIn, replacing: true, switching: switching) { output in
            if case .signedIn(let account) = output { account } else { nil }
        }
        motherboard.gate(.session, by: .confirm, asking: { $0.name }, verdict: { $0 ? .open : .closed })
        let course = motherboard.activate(.course, with: 1)
        for name in ["ada", "eve"] { campus.signIn(name) }
        for board in questions.boards.reversed() { board.send(true) }
        #expect(questions.inputs == ["ada", "eve"])
        #expect(campus.journal.lines == ["session of eve", "eve/course 1"])
        #expect(course.state == .active)
    }

    @Test(.rule("B56", "B51")) func `a log-in that the user leaves denies a board two scopes deep with one flow`() {
        motherboard.activate(.project, with: 7)
        campus.logIns.boards[0].complete(.cancelled)
        #expect(
            journal.lines == [
                "waiting project organization", "waiting organization session", "waiting session logIn",
                "activated logIn", "completed logIn",
                "gateDenied session logIn", "gateDenied organization session", "gateDenied project organization",
                "flow denied project",
            ]
        )
    }
}
