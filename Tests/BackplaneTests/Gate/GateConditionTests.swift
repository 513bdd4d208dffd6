import Backplane
import TestSupport
import Testing

/// A gate asks nothing if its condition holds or if the input needs no question.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct GateConditionTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()
    let logins = Asked<Doorkeeper>()
    let questions = Asked<Question>()
    let events: EventRecord

    init() {
        motherboard.probe(.login, notedIn: logins)
        motherboard.probe(.confirm, notedIn: questions)
        motherboard.probe(.first) { [journal] _, input in journal.note("first \(input)") }
        motherboard.registerFlow(from: .login) { [journal] _, _ in journal.note("reload") }
        events = motherboard.observeEvents()
    }

    @Test(.rule("B66")) func `a gate skipped by its condition asks nothing, fires no flow and raises no gate event`() {
        motherboard.gate(.first, by: .login, unless: { true }, verdict: { _ in .closed })
        #expect(motherboard.activate(.first, with: 1).state == .active)
        #expect(logins.boards.isEmpty)
        #expect(!motherboard.isLive(.login))
        #expect(journal.lines == ["first 1"])
        #expect(events.events.map(\.kind) == [.activated])
    }

    @Test(.rule("B66")) func `the condition of a gate is evaluated at each activation`() {
        var isSignedIn = false
        var count = 0
        motherboard.gate(
            .first,
            by: .login,
            unless: {
                count += 1
                return isSignedIn
            },
            verdict: { $0 ? .open : .closed }
        )
        #expect(motherboard.activate(.first, with: 1).state == .waiting)
        logins.boards[0].send(true)
        isSignedIn = true
        #expect(motherboard.activate(.first, with: 2).state == .active)
        isSignedIn = false
        #expect(motherboard.activate(.first, with: 3).state == .waiting)
        #expect(count == 3)
        #expect(logins.boards.count == 2)
    }

    @Test(.rule("B47", "B60"), arguments: [false, true])
    func `if the question closure completes an activation, it is not asked and does not enter`(isKnown: Bool) {
        var activation: Activation<Numbers>?
        motherboard.gate(.second, by: .confirm, with: "Sure?") { _ in .open }
        motherboard.gate(
            .second,
            by: .login,
            asking: { _ in
                activation?.complete()
                return isKnown ? nil : ()
            },
            verdict: { _ in .open }
        )
        motherboard.probe(.second) { [journal] _, _ in journal.note("second") }
        activation = motherboard.activate(.second, with: 1)
        questions.boards[0].send(true)
        #expect(activation?.state == .completed)
        #expect(logins.boards.isEmpty)
        #expect(journal.lines.isEmpty)
        #expect(motherboard.isCalm)
    }

    @Test(.rule("B47", "B60"), arguments: [false, true])
    func `a condition that completes the motherboard asks no gate and enters no board`(isKnown: Bool) {
        motherboard.gate(
            .first,
            by: .login,
            unless: { [motherboard] in
                motherboard.complete()
                return isKnown
            },
            verdict: { _ in .open }
        )
        let activation = motherboard.activate(.first, with: 1)
        #expect(activation.state == .denied(Denial(of: .first, by: .login, .ownerGone)))
        #expect(logins.boards.isEmpty)
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B47", "B60")) func `a question closure that releases the motherboard activates at most one board`() {
        var motherboard: Motherboard? = Motherboard()
        var count = 0
        motherboard?.probe(.login) { _, _ in count += 1 }
        motherboard?.probe(.first) { _, _ in count += 1 }
        motherboard?.gate(
            .first,
            by: .login,
            asking: { _ in
                motherboard = nil
                return ()
            },
            verdict: { _ in .open }
        )
        motherboard?.probe(.start) { board, _ in board.nextToBoard(.first, with: 1) }
        motherboard?.activate(.start)
        #expect(motherboard == nil)
        #expect(count <= 1, "the caller of `activate` retains the motherboard until the call returns")
    }

    @Test(.rule("B31")) func `a gate added by the condition of another gate is asked`() {
        motherboard.gate(
            .first,
            by: .login,
            unless: { [motherboard] in
                motherboard.gate(.first, by: .confirm, with: "Sure?", replacing: true) { $0 ? .open : .closed }
                return true
            },
            verdict: { _ in .open }
        )
        let activation = motherboard.activate(.first, with: 1)
        #expect(activation.state == .waiting)
        questions.boards[0].send(true)
        #expect(activation.state == .active)
    }
}
