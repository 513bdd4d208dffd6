import Backplane
import TestSupport
import Testing

/// Activations that wait for the same response share a gate run.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct GateRunTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()
    let keepers = Asked<Doorkeeper>()
    let questions = Asked<Question>()

    init() {
        motherboard.probe(.login, notedIn: keepers)
        motherboard.probe(.confirm, notedIn: questions)
        for id in [BoardID<Numbers>.first, .second] {
            motherboard.probe(id, reuse: .perActivation) { [journal] _, input in journal.note("\(id) \(input)") }
        }
    }

    // MARK: A gate without input

    @Test(.rule("B32")) func `all verdicts are computed before the first board enters`() {
        for id in [BoardID<Numbers>.first, .second] {
            motherboard.gate(id, by: .login) { [journal] _ in
                journal.note("judges \(id)")
                return .open
            }
        }
        motherboard.activate(.first, with: 1)
        motherboard.activate(.second, with: 2)
        keepers.boards[0].send(true)
        #expect(journal.lines == ["judges first", "judges second", "first 1", "second 2"])
    }

    // MARK: A gate with input

    @Test(.rule("B47", "B32"))
    func `equal input-dependent questions share a gate board, and different questions do not`() {
        motherboard.gate(.first, by: .confirm, asking: { "About \($0 / 10)?" }, verdict: { $0 ? .open : .closed })
        let states = [11, 12, 21].map { motherboard.activate(.first, with: $0) }
        #expect(questions.inputs == ["About 1?", "About 2?"])
        questions.boards[1].send(false)
        #expect(states.map(\.state) == [.waiting, .waiting, .denied(Denial(of: .first, by: .confirm, .closed))])
        let fresh = motherboard.activate(.first, with: 22)
        #expect(questions.inputs == ["About 1?", "About 2?", "About 2?"], "a decided question is asked again")
        questions.boards[0].send(true)
        #expect(states[0].state == .active)
        #expect(states[1].state == .active)
        #expect(fresh.state == .waiting)
    }

    @Test(.rule("B47", "B32")) func `questions that cannot be compared have separate gate boards`() {
        struct Matter { var number: Int }
        enum Matters: BoardContract {
            typealias Input = Matter
            typealias Output = Bool
        }
        let id = BoardID<Matters>("matters")
        let asked = Asked<Matters>()
        motherboard.probe(id, notedIn: asked)
        motherboard.gate(.first, by: id, asking: { Matter(number: $0) }, verdict: { $0 ? .open : .closed })
        motherboard.gate(.second, by: id, with: Matter(number: 7)) { $0 ? .open : .closed }
        let states = [1, 1].map { motherboard.activate(.first, with: $0) }
        #expect(asked.boards.count == 2)
        asked.boards[1].send(true)
        #expect(states.map(\.state) == [.waiting, .active])
        motherboard.activate(.second, with: 1)
        motherboard.activate(.second, with: 2)
        #expect(asked.inputs.map(\.number) == [1, 1, 7], "a rule with a fixed input needs no comparison")
    }

    // MARK: Responses to something else

    @Test(.rule("B32")) func `a response to the question of another caller does not open the gate`() {
        motherboard.gate(.first, by: .confirm, with: "Delete?") { $0 ? .open : .closed }
        let first = motherboard.activate(.first, with: 1)
        motherboard.activate(.confirm, with: "Show tips?")
        #expect(questions.inputs == ["Delete?", "Show tips?"])
        #expect(questions.boards[0] !== questions.boards[1])
        questions.boards[1].send(true)
        #expect(first.state == .waiting)
        #expect(journal.lines.isEmpty)
        questions.boards[0].send(true)
        #expect(first.state == .active)
    }
}
