import Backplane
import TestSupport
import Testing

/// Which activations wait for the same response.
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

    @Test(.rule("B32")) func `A gate without input is asked once for several rules and levels`() {
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

    @Test(.rule("B32")) func `Two rules judge one response each in its way`() {
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
        #expect(keepers.boards.count == 1, "the run goes on, so it takes more")
        keepers.boards[0].send(false)
        #expect(late.state == .active)
        motherboard.complete(.login)
        #expect(third.state == .denied(Denial(of: .third, by: .login, .gateDone)))
    }

    @Test(.rule("B32")) func `All verdicts are asked for before anybody enters`() {
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

    @Test(.rule("B32")) func `Who waits again while others enter waits for another response`() {
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

    @Test(.rule("B32")) func `A run takes nobody when its board has ended, though the end is not heard yet`() {
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

    @Test(.rule("B32"))
    func `A gate's board that is registered per activation is made for each run, and shared in one`() {
        let ages = Asked<Doorkeeper>()
        motherboard.probe(.age, reuse: .perActivation, notedIn: ages)
        motherboard.gate(.first, by: .age) { $0 ? .open : .closed }
        let first = motherboard.activate(.first, with: 1)
        let second = motherboard.activate(.first, with: 2)
        #expect(ages.boards.count == 1)
        motherboard.activate(.age)
        ages.boards[1].send(true)
        #expect(first.state == .waiting, "another board's output")
        ages.boards[0].send(true)
        #expect(second.state == .active)
        motherboard.activate(.first, with: 3)
        #expect(ages.boards.count == 3)
        #expect(motherboard.liveCount(of: .age) == 3)
    }

    // MARK: A gate with input

    @Test(.rule("B32")) func `Each rule with input asks a board of its own, though the gate is registered as shared`() {
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

    @Test(.rule("B32")) func `A rule with one input asks once for all who wait, here and inside`() {
        let inner = motherboard.makeInner()
        motherboard.gate(.first, by: .confirm, with: "Sure?") { $0 ? .open : .closed }
        let states = [motherboard.activate(.first, with: 1), inner.activate(.first, with: 2)]
        #expect(questions.inputs == ["Sure?"])
        #expect(inner.liveCount(of: .confirm) == 0)
        questions.boards[0].send(true)
        #expect(states.map(\.state) == [.active, .active])
    }

    @Test(.rule("B32")) func `Flows hear a gate's own board, and commands reach it`() {
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

    @Test(.rule("B47", "B32")) func `Equal questions about what is entered share a board, others have their own`() {
        motherboard.gate(.first, by: .confirm, asking: { "About \($0 / 10)?" }, verdict: { $0 ? .open : .closed })
        let states = [11, 12, 21].map { motherboard.activate(.first, with: $0) }
        #expect(questions.inputs == ["About 1?", "About 2?"])
        questions.boards[1].send(false)
        #expect(states.map(\.state) == [.waiting, .waiting, .denied(Denial(of: .first, by: .confirm, .closed))])
        let fresh = motherboard.activate(.first, with: 22)
        #expect(questions.inputs == ["About 1?", "About 2?", "About 2?"], "a question that was decided is asked anew")
        questions.boards[0].send(true)
        #expect(states[0].state == .active)
        #expect(states[1].state == .active)
        #expect(fresh.state == .waiting)
    }

    @Test(.rule("B47", "B32")) func `Questions that cannot be compared have a board each`() {
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
        #expect(asked.inputs.map(\.number) == [1, 1, 7], "a rule with one input needs no comparison")
    }

    @Test(.rule("B32")) func `A gate's own board ends as done when nobody is undecided any more, not before`() {
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

    @Test(.rule("B32")) func `A gate's own board has ended when the first of its waiters enters`() {
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

    @Test(.rule("B32")) func `A board for a question that is restored in the middle leaves the shared one alone`() {
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
    func `Responses that are queued in one turn are judged in order, and only the first that decides counts`() {
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

    @Test(.rule("B32", "B3")) func `A response that was sent before the board ended counts`() {
        motherboard.register(.login, replacing: true) { slot in
            ProbeBoard(slot: slot) { board, _ in
                board.send(true)
                board.complete(.cancelled)
            }
        }
        motherboard.gate(.first, by: .login) { $0 ? .open : .closed }
        #expect(motherboard.activate(.first, with: 1).state == .active)
    }

    // MARK: A shared board that is activated for something else

    @Test(.rule("B32")) func `A shared gate that is activated for something else denies who waits`() {
        motherboard.gate(.first, by: .login) { $0 ? .open : .closed }
        let first = motherboard.activate(.first, with: 1)
        let login = motherboard.activate(.login)
        #expect(first.state == .denied(Denial(of: .first, by: .login, .gateSuperseded)))
        #expect(login.state == .active)
        keepers.boards[0].send(true)
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B32", "B3")) func `A response that was sent before the board was activated for something else counts`()
    {
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

    @Test(.rule("B32")) func `Who waits is denied before anything that the new activation sends, and joins no more`() {
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
        #expect(journal.lines == ["sent", "gateSuperseded"], "denied first; heard behind what had been sent")
    }

    @Test(.rule("B32")) func `A gate that nobody waits for any more is activated for something else without a denial`()
    {
        motherboard.gate(.first, by: .login) { $0 ? .open : .closed }
        let events = motherboard.observeEvents()
        motherboard.activate(.first, with: 1)
        keepers.boards[0].send(true)
        motherboard.activate(.login)
        #expect(events.boards(.gateDenied).isEmpty)
    }
}
