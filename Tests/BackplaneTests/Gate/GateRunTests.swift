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
        for id in [BoardID<Numbers>.first, .second, .third] {
            motherboard.probe(id, reuse: .perActivation) { [journal] _, input in journal.note("\(id) \(input)") }
        }
    }

    // MARK: A gate without input

    @Test(.rule("B32")) func `a gate without input is asked once for several rules and motherboards`() {
        let inner = motherboard.makeInner()
        motherboard.gate(.first, by: .login) { $0 ? .open : .closed }
        motherboard.gate(.second, by: .login) { $0 ? .open : .closed }
        motherboard.gateAll(by: .login, except: .first, .second) { $0 ? .open : .closed }
        let states = [
            motherboard.activate(.first, with: 1), motherboard.activate(.second, with: 2),
            motherboard.activate(.third, with: 3), inner.activate(.third, with: 4), inner.activate(.first, with: 5),
        ]
        #expect(keepers.boards.count == 1)
        keepers.boards[0].send(true)
        #expect(journal.lines == ["first 1", "second 2", "third 3", "third 4", "first 5"])
        #expect(states.allSatisfy { $0.state == .active })
    }

    @Test(.rule("B32")) func `each gate rule judges the shared response with its own verdict`() {
        motherboard.gate(.first, by: .login) { $0 ? .open : .closed }
        motherboard.gate(.second, by: .login) { $0 ? .closed : .open }
        motherboard.gate(.third, by: .login) { _ in .undecided }
        let first = motherboard.activate(.first, with: 1)
        let second = motherboard.activate(.second, with: 2)
        let third = motherboard.activate(.third, with: 3)
        keepers.boards[0].send(true)
        #expect(first.state == .active)
        #expect(second.state == .denied(Denial(of: .second, by: .login, .closed)))
        #expect(third.state == .waiting)
        let late = motherboard.activate(.second, with: 4)
        #expect(keepers.boards.count == 1, "the gate run continues, so the run accepts more activations")
        keepers.boards[0].send(false)
        #expect(late.state == .active)
        motherboard.complete(.login)
        #expect(third.state == .denied(Denial(of: .third, by: .login, .gateDone)))
    }

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

    @Test(.rule("B32")) func `an activation made while another enters waits for a new response`() {
        var again: Activation<Numbers>?
        motherboard.gate(.first, by: .login) { _ in .open }
        motherboard.gate(.second, by: .login) { _ in .open }
        motherboard.register(.first, replacing: true) { slot in
            ProbeBoard(slot: slot) { board, _ in again = board.nextToBoard(.second, with: 1) }
        }
        motherboard.activate(.first, with: 0)
        keepers.boards[0].send(true)
        #expect(again?.state == .waiting)
        #expect(keepers.boards.count == 2)
    }

    @Test(.rule("B32")) func `a gate run accepts no activation after its gate board ends, even in the same turn`() {
        motherboard.gate(.first, by: .login) { $0 ? .open : .closed }
        let first = motherboard.activate(.first, with: 1)
        var second: Activation<Numbers>?
        motherboard.probe(.start) { [keepers] board, _ in
            keepers.boards[0].complete()
            second = board.nextToBoard(.first, with: 2)
        }
        motherboard.activate(.start)
        #expect(first.state == .denied(Denial(of: .first, by: .login, .gateDone)))
        #expect(second?.state == .waiting)
        #expect(keepers.boards.count == 2)
        keepers.boards[1].send(true)
        #expect(second?.state == .active)
    }

    @Test(.rule("B32")) func `a per-activation gate board is made for each gate run and shared within the run`() {
        let ages = Asked<Doorkeeper>()
        motherboard.probe(.age, reuse: .perActivation, notedIn: ages)
        motherboard.gate(.first, by: .age) { $0 ? .open : .closed }
        let first = motherboard.activate(.first, with: 1)
        let second = motherboard.activate(.first, with: 2)
        #expect(ages.boards.count == 1)
        motherboard.activate(.age)
        ages.boards[1].send(true)
        #expect(first.state == .waiting, "the output came from another board")
        ages.boards[0].send(true)
        #expect(second.state == .active)
        motherboard.activate(.first, with: 3)
        #expect(ages.boards.count == 3)
        #expect(motherboard.liveCount(of: .age) == 3)
    }

    // MARK: A gate with input

    @Test(.rule("B32")) func `each gate rule with input has its own gate board, even if the board is shared`() {
        motherboard.gate(.first, by: .confirm, with: "Sure?") { $0 ? .open : .closed }
        motherboard.gate(.second, by: .confirm, with: "Sure?") { $0 ? .open : .closed }
        let first = motherboard.activate(.first, with: 1)
        let second = motherboard.activate(.second, with: 2)
        #expect(questions.boards.count == 2)
        #expect(motherboard.liveCount(of: .confirm) == 2)
        questions.boards[1].send(true)
        #expect(first.state == .waiting)
        #expect(second.state == .active)
        #expect(motherboard.liveCount(of: .confirm) == 1)
    }

    @Test(.rule("B32")) func `a gate rule with a fixed input asks once for all activations, nested ones included`() {
        let inner = motherboard.makeInner()
        motherboard.gate(.first, by: .confirm, with: "Sure?") { $0 ? .open : .closed }
        let states = [motherboard.activate(.first, with: 1), inner.activate(.first, with: 2)]
        #expect(questions.inputs == ["Sure?"])
        #expect(inner.liveCount(of: .confirm) == 0)
        questions.boards[0].send(true)
        #expect(states.map(\.state) == [.active, .active])
    }

    @Test(.rule("B32")) func `flows and commands reach a gate's own board`() {
        enum Dialog: BoardContract {
            typealias Input = String
            typealias Output = Bool
            typealias Command = String
        }
        let id = BoardID<Dialog>("dialog")
        motherboard.probe(
            id,
            onActivate: { _, _ in },
            onCommand: { [journal] board, command in
                journal.note(command)
                board.send(command == "yes")
            }
        )
        motherboard.registerFlow(from: id) { [journal] output, _ in journal.note("flow \(output)") }
        motherboard.gate(.first, by: id, with: "Sure?") { $0 ? .open : .closed }
        motherboard.activate(.first, with: 1)
        #expect(motherboard.send("yes", to: id) == .delivered(1))
        #expect(journal.lines == ["yes", "flow true", "first 1"])
        #expect(!motherboard.isLive(id))
    }

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

    @Test(.rule("B32")) func `a gate's own board completes as done when no activation is undecided any longer`() {
        var isFirstDecided = false
        motherboard.gate(
            .first,
            by: .confirm,
            asking: { _ in "Sure?" },
            verdict: { isSure in
                defer { isFirstDecided = true }
                return isFirstDecided ? (isSure ? .open : .closed) : .undecided
            }
        )
        var completions: [String] = []
        motherboard.registerCompletionFlow(.confirm) { completion, _ in completions.append("\(completion)") }
        let first = motherboard.activate(.first, with: 1)
        questions.boards[0].send(true)
        #expect(first.state == .waiting)
        #expect(motherboard.isLive(.confirm))
        questions.boards[0].send(true)
        #expect(first.state == .active)
        #expect(!motherboard.isLive(.confirm))
        #expect(completions == ["done"])
    }

    @Test(.rule("B32")) func `a gate's own board ends before the first activation enters`() {
        motherboard.gate(.first, by: .confirm, with: "Sure?") { _ in .open }
        var isLive: [Bool] = []
        motherboard.register(.first, reuse: .perActivation, replacing: true) { slot in
            ProbeBoard(slot: slot) { board, _ in isLive.append(board.slot.isLive(.confirm)) }
        }
        motherboard.activate(.first, with: 1)
        motherboard.activate(.first, with: 2)
        questions.boards[0].send(true)
        #expect(isLive == [false, false])
    }

    @Test(.rule("B32")) func `a failure of a gate's own board does not affect the shared board of the same ID`() {
        motherboard.gate(.first, by: .confirm, with: "Sure?") { $0 ? .open : .closed }
        let shared = motherboard.activate(.confirm, with: "Tips?")
        let first = motherboard.activate(.first, with: 1)
        #expect(shared.state == .active)
        questions.boards[1].complete(.failed(Oops()))
        #expect(first.state == .denied(Denial(of: .first, by: .confirm, .gateFailed)))
        #expect(shared.state == .active)
        motherboard.activate(.confirm, with: "More tips?")
        #expect(questions.boards[2] === questions.boards[0])
    }

    // MARK: In one turn

    @Test(.rule("B32", "B3"))
    func `responses queued in the same turn are judged in order, and the first decision counts`() {
        motherboard.register(.login, replacing: true) { slot in
            ProbeBoard(slot: slot) { board, _ in
                board.send(false)
                board.send(true)
                board.complete()
            }
        }
        motherboard.gate(.first, by: .login) { $0 ? .open : .undecided }
        motherboard.gate(.second, by: .login) { $0 ? .open : .closed }
        #expect(motherboard.activate(.first, with: 1).state == .active)
        #expect(motherboard.activate(.second, with: 2).state == .denied(Denial(of: .second, by: .login, .closed)))
    }

    @Test(.rule("B32", "B3")) func `a response sent before the end of the gate board counts`() {
        motherboard.register(.login, replacing: true) { slot in
            ProbeBoard(slot: slot) { board, _ in
                board.send(true)
                board.complete(.cancelled)
            }
        }
        motherboard.gate(.first, by: .login) { $0 ? .open : .closed }
        #expect(motherboard.activate(.first, with: 1).state == .active)
    }

    // MARK: A shared gate board that is activated directly

    @Test(.rule("B32")) func `a shared gate board that is activated directly denies the waiting activations`() {
        motherboard.gate(.first, by: .login) { $0 ? .open : .closed }
        let first = motherboard.activate(.first, with: 1)
        let login = motherboard.activate(.login)
        #expect(first.state == .denied(Denial(of: .first, by: .login, .gateSuperseded)))
        #expect(login.state == .active)
        keepers.boards[0].send(true)
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B32", "B3")) func `a response sent before a direct activation of the gate board counts`() {
        motherboard.gate(.first, by: .login) { $0 ? .open : .closed }
        motherboard.gate(.second, by: .login) { _ in .undecided }
        let first = motherboard.activate(.first, with: 1)
        let second = motherboard.activate(.second, with: 1)
        motherboard.probe(.start) { [keepers] board, _ in
            keepers.boards[0].send(true)
            board.nextToBoard(.login)
            #expect(first.state == .waiting)
        }
        motherboard.activate(.start)
        #expect(first.state == .active)
        #expect(second.state == .denied(Denial(of: .second, by: .login, .gateSuperseded)))
    }

    @Test(.rule("B32")) func `a superseded gate run denies its activations before the new outputs are judged`() {
        var late: Activation<Numbers>?
        var count = 0
        motherboard.register(.login, replacing: true) { slot in
            ProbeBoard(slot: slot) { board, _ in
                count += 1
                guard count == 2 else { return }
                board.send(true)
            }
        }
        motherboard.gate(.first, by: .login) { $0 ? .open : .closed }
        motherboard.registerFlow(from: .login) { [journal] _, _ in journal.note("sent") }
        let first = motherboard.activate(.first, with: 1)
        motherboard.registerDenialFlow { [journal] denial, _ in journal.note("\(denial.reason)") }
        motherboard.probe(.start) { board, _ in
            board.nextToBoard(.login)
            late = board.nextToBoard(.first, with: 2)
        }
        motherboard.activate(.start)
        #expect(first.state == .denied(Denial(of: .first, by: .login, .gateSuperseded)))
        #expect(count == 3)
        #expect(late?.state == .waiting)
        #expect(journal.lines == ["sent", "gateSuperseded"], "the denial is delivered after the output that was sent")
    }

    @Test(.rule("B32")) func `a gate board without waiting activations is activated again without a denial`() {
        motherboard.gate(.first, by: .login) { $0 ? .open : .closed }
        let events = motherboard.observeEvents()
        motherboard.activate(.first, with: 1)
        keepers.boards[0].send(true)
        motherboard.activate(.login)
        #expect(events.boards(.gateDenied).isEmpty)
    }
}
