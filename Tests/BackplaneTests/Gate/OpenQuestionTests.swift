import Backplane
import TestSupport
import Testing

/// An open question stands for itself only: other questions at the same board are asked.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct OpenQuestionTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()
    let questions = Asked<Question>()

    init() {
        for id in [BoardID<GuardedPage>.form, .camera] { motherboard.probe(id, notedIn: journal) }
        motherboard.probe(.first) { [journal] _, number in journal.note("first \(number)") }
        motherboard.probe(.confirm, notedIn: questions)
    }

    // MARK: Other questions

    @Test(.rule("B69")) func `a long chain of answered questions stays open`() {
        motherboard.gate(.first, by: .confirm, asking: { "\($0)?" }, verdict: { $0 ? .open : .closed })
        var last = motherboard.activate(.first, with: 0)
        for number in 1...300 {
            let next = questions.boards[number - 1].nextToBoard(.first, with: number)
            #expect(next.state == .waiting)
            if next.state != .waiting { return }
            questions.boards[number - 1].send(true)
            #expect(last.state == .active)
            last = next
        }
    }

    @Test(.rule("B69"), arguments: [true, false])
    func `a flow that starts at the answer asks another question of the same board`(answer: Bool) {
        motherboard.gate(.form, by: .confirm, with: "Delete?") { $0 ? .open : .closed }
        motherboard.gate(.camera, by: .confirm, with: "Pay 900?") { $0 ? .open : .closed }
        motherboard.registerFlow(from: .confirm) { _, motherboard in motherboard.activate(.camera) }
        motherboard.activate(.form)
        questions.boards[0].send(answer)
        #expect(questions.inputs == ["Delete?", "Pay 900?"])
        #expect(journal.lines == (answer ? ["form"] : []))
    }

    // MARK: Cycles of questions

    @Test(.rule("B69", "B49")) func `if gates ask each other more and more new questions, they deny`() {
        motherboard.gate(.first, by: .confirm, with: "?") { _ in .open }
        motherboard.gate(.confirm, by: .permission, asking: { "\($0)?" }, verdict: { _ in .open })
        motherboard.gate(.permission, by: .confirm, asking: { "\($0)?" }, verdict: { _ in .open })
        motherboard.probe(.permission, notedIn: questions)
        let state = motherboard.activate(.first, with: 1).state
        let cycle = [AnyBoardID(.confirm), AnyBoardID(.permission), AnyBoardID(.confirm)]
        guard case .denied(let denial) = state, case .cycle(let boards) = denial.reason else {
            Issue.record("The activation is \(state).")
            return
        }
        #expect(boards == cycle || boards == cycle.dropFirst() + [cycle[1]])
        #expect(questions.boards.isEmpty)
        #expect(motherboard.isCalm)
    }

    @Test(.rule("B69", "B49")) func `if a gate board always leads to a new question, it is denied in the end`() {
        motherboard.gate(.first, by: .confirm, asking: { "\($0)?" }, verdict: { $0 ? .open : .closed })
        var states: [ActivationState] = []
        motherboard.register(.confirm, replacing: true) { [questions] slot in
            ProbeBoard(slot: slot) { board, question in
                questions.note(board, question)
                let next = board.nextToBoard(.first, with: questions.boards.count)
                states.append(next.state)
            }
        }
        motherboard.activate(.first, with: 0)
        let cycle = [AnyBoardID](repeating: AnyBoardID(.confirm), count: 2)
        #expect(states.first == .denied(Denial(of: .first, by: .confirm, .cycle(cycle))))
        #expect(states.dropFirst().allSatisfy { $0 == .waiting })
        #expect(journal.lines.isEmpty)
    }

    // MARK: Questions that cannot be compared

    @Test(.rule("B69", "B30")) func `if questions of a rule cannot be compared, the work for their answer is denied`() {
        let asked = Asked<Riddle>()
        motherboard.probe(.riddle, notedIn: asked)
        motherboard.gate(
            .first,
            by: .riddle,
            asking: { Riddle.Input(text: "\($0)") },
            verdict: { $0 ? .open : .closed }
        )
        let first = motherboard.activate(.first, with: 1)
        let own = asked.boards[0].nextToBoard(.first, with: 1)
        let cycle = [AnyBoardID](repeating: AnyBoardID(.riddle), count: 2)
        #expect(own.state == .denied(Denial(of: .first, by: .riddle, .cycle(cycle))))
        #expect(asked.boards.count == 1)
        #expect(motherboard.activate(.first, with: 1).state == .waiting, "other activations ask")
        #expect(asked.boards.count == 2)
        asked.boards[0].send(true)
        #expect(first.state == .active)
    }

    @Test(.rule("B69")) func `a gate with one question for all activations compares no questions`() {
        let asked = Asked<Riddle>()
        motherboard.probe(.riddle, notedIn: asked)
        motherboard.gate(.first, by: .riddle, with: Riddle.Input(text: "first")) { $0 ? .open : .closed }
        motherboard.gate(.form, by: .riddle, with: Riddle.Input(text: "first")) { $0 ? .open : .closed }
        motherboard.activate(.first, with: 1)
        #expect(asked.boards[0].nextToBoard(.first, with: 2).state == .active)
        #expect(asked.boards[0].nextToBoard(.form).state == .waiting)
        #expect(asked.boards.count == 2)
    }
}

/// A gate board whose questions cannot be compared.
private enum Riddle: BoardContract {
    struct Input { let text: String }
    typealias Output = Bool
}

extension BoardID<Riddle> {
    fileprivate static var riddle: Self { "riddle" }
}
