import Backplane
import TestSupport
import Testing

/// An output of an entrance does not enter the scope after a later one.
@Suite(.rule("B56"))
@MainActor struct LatestArrivalTests {
    private let motherboard = Motherboard.onMain()
    private let journal = Journal()
    private let events: EventRecord

    init() {
        events = motherboard.observeEvents()
    }

    /// Signs ada in, and eve while the output of ada waits in the queue; returns the log-in.
    private func signInTwice(
        switching: Bool,
        onSession: @escaping (ProbeBoard<UserSession>) -> Void = { _ in }
    )
        -> ProbeBoard<LogIn>?
    {
        motherboard.probe(.session) { [journal] board, account in
            journal.note(account.name)
            board.inner.probe(.course) { _, number in journal.note("\(account.name)/course \(number)") }
            onSession(board)
        }
        var logIn: ProbeBoard<LogIn>?
        motherboard.probe(.logIn) { board, _ in
            if logIn != nil { board.send(.signedIn(Account("eve"))) }
            logIn = board
        }
        // Registered before the entrance. So the activation asks, and the answer of the log-in is
        // queued, before the entrance queues the input from the first output.
        var isFirst = true
        motherboard.registerFlow(from: .logIn) { _, motherboard in
            if isFirst { motherboard.activate(.course, with: 1) }
            isFirst = false
        }
        motherboard.registerScope(.session, enteredBy: .logIn, switching: switching) { output in
            if case .signedIn(let account) = output { account } else { nil }
        }
        motherboard.declare(.course, inside: .session)
        motherboard.activate(.logIn)
        logIn?.send(.signedIn(Account("ada")))
        return logIn
    }

    @Test(arguments: [true, false]) func `an earlier sign-in in the queue does not replace a later one`(switching: Bool)
    {
        let logIn = signInTwice(switching: switching)
        #expect(journal.lines == ["eve", "eve/course 1"])
        #expect(events.boards(.droppedEntrance) == ["session"])
        logIn?.send(.signedIn(Account("bob")))
        #expect(journal.lines.last == (switching ? "bob" : "eve/course 1"))
    }

    /// Signs ada and eve in at a log-in that the app activated, with a question in front of the
    /// session.
    private func signInTwiceAtGate(switching: Bool) -> Asked<Question> {
        let asked = Asked<Question>()
        motherboard.probe(.confirm, notedIn: asked)
        motherboard.probe(.session) { [journal] _, account in journal.note(account.name) }
        motherboard.gate(.session, by: .confirm, asking: { $0.name }, verdict: { $0 ? .open : .closed })
        var logIn: ProbeBoard<LogIn>?
        motherboard.probe(.logIn) { board, _ in logIn = board }
        motherboard.registerScope(.session, enteredBy: .logIn, switching: switching) { output in
            if case .signedIn(let account) = output { account } else { nil }
        }
        motherboard.activate(.logIn)
        for name in ["ada", "eve"] { logIn?.send(.signedIn(Account(name))) }
        #expect(asked.inputs == ["ada", "eve"])
        return asked
    }

    @Test(arguments: [[0, 1], [1, 0]], [true, false])
    func `an earlier sign-in that waits at a gate never enters`(order: [Int], switching: Bool) {
        let asked = signInTwiceAtGate(switching: switching)
        for index in order { asked.boards[index].send(true) }
        #expect(journal.lines == ["eve"])
        #expect(events.boards(.droppedEntrance) == ["session"])
        #expect(motherboard.isCalm)
    }

    @Test(arguments: [true, false])
    func `a sign-in that has waited at a gate replaces a live session only with switching`(switching: Bool) {
        let asked = signInTwiceAtGate(switching: switching)
        motherboard.activate(.session, with: Account("bob"))
        for board in asked.boards.reversed() { board.send(true) }
        #expect(journal.lines == (switching ? ["bob", "eve"] : ["bob"]))
    }

    @Test(arguments: [true, false])
    func `an earlier sign-in in the queue does not enter after a later session has ended`(switching: Bool) {
        let logIn = signInTwice(switching: switching) { $0.complete() }
        #expect(journal.lines == ["eve"])
        #expect(events.boards(.droppedEntrance) == ["session"])
        logIn?.send(.signedIn(Account("bob")))
        #expect(journal.lines == ["eve", "bob"])
    }
}
