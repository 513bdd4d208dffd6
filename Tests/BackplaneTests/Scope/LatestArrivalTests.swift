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

    /// Signs ada in, and eve while the output of ada waits in the queue; returns the sign-in.
    private func signInTwice(switching: Bool) -> ProbeBoard<SignIn>? {
        motherboard.probe(.session) { [journal] board, account in
            journal.note(account.name)
            board.inner.probe(.course) { _, number in journal.note("\(account.name)/course \(number)") }
        }
        var signIn: ProbeBoard<SignIn>?
        motherboard.probe(.signIn) { board, _ in
            if signIn != nil { board.send(.signedIn(Account("eve"))) }
            signIn = board
        }
        // Registered before the entrance. So the activation asks, and the answer of the sign-in is
        // queued, before the entrance queues the input from the first output.
        var isFirst = true
        motherboard.registerFlow(from: .signIn) { _, motherboard in
            if isFirst { motherboard.activate(.course, with: 1) }
            isFirst = false
        }
        motherboard.registerScope(.session, enteredBy: .signIn, switching: switching) { $0.account }
        motherboard.declare(.course, inside: .session)
        motherboard.activate(.signIn)
        signIn?.send(.signedIn(Account("ada")))
        return signIn
    }

    @Test(arguments: [true, false]) func `an earlier sign-in in the queue does not replace a later one`(switching: Bool)
    {
        let signIn = signInTwice(switching: switching)
        #expect(journal.lines == ["eve", "eve/course 1"])
        #expect(events.boards(.droppedEntrance) == ["session"])
        signIn?.send(.signedIn(Account("bob")))
        #expect(journal.lines.last == (switching ? "bob" : "eve/course 1"))
    }

    // MARK: Activations that wait

    /// Puts a question in front of the session, and signs ada and eve in while a course waits.
    private func signInTwiceForCourse(
        switching: Bool = false
    )
        -> (campus: Campus, course: Activation<Numbers>, asked: Asked<Question>)
    {
        let (campus, asked) = (Campus(motherboard), Asked<Question>())
        motherboard.probe(.confirm, notedIn: asked)
        motherboard.gate(.session, by: .confirm, asking: { $0.name }, verdict: { $0 ? .open : .closed })
        if switching {
            motherboard.registerScope(.session, enteredBy: .signIn, replacing: true, switching: true) { $0.account }
        }
        let course = motherboard.activate(.course, with: 1)
        for name in ["ada", "eve"] { campus.signIn(name) }
        #expect(asked.inputs == ["ada", "eve"])
        #expect(course.state == .waiting)
        #expect(events.boards(.droppedEntrance) == ["session"])
        return (campus, course, asked)
    }

    @Test(arguments: [[1], [0, 1], [1, 0]], [true, false])
    func `a waiting activation enters the session of the later sign-in`(order: [Int], switching: Bool) {
        let (campus, course, asked) = signInTwiceForCourse(switching: switching)
        for index in order { asked.boards[index].send(true) }
        #expect(campus.journal.lines == ["session of eve", "eve/course 1"])
        #expect(course.state == .active)
        #expect(events.boards(.droppedEntrance) == ["session"])
        #expect(motherboard.isCalm)
    }

    @Test(arguments: [true, false]) func `the answer for an earlier sign-in has no effect`(answer: Bool) {
        let (campus, course, asked) = signInTwiceForCourse()
        asked.boards[0].send(answer)
        #expect(course.state == .waiting)
        asked.boards[1].send(false)
        let denial = Denial(of: .session, by: .confirm, .closed)
        #expect(course.state == .denied(Denial(of: .course, by: .session, .gateDenied(denial))))
        asked.boards[0].send(true)
        #expect(campus.journal.lines == [])
        #expect(motherboard.isCalm)
    }

    @Test(.rule("B50"), arguments: [true, false])
    func `if an activation stops waiting for a sign-in, the sign-in is discarded`(switching: Bool) {
        let (campus, course, asked) = signInTwiceForCourse(switching: switching)
        course.complete()
        #expect(events.boards(.droppedEntrance) == ["session", "session"])
        for board in asked.boards { board.send(true) }
        #expect(campus.journal.lines == [])
        #expect(motherboard.isCalm)
        campus.signIn("bob")
        asked.boards.last?.send(true)
        #expect(campus.journal.lines == ["session of bob"])
    }

    @Test(.rule("B31")) func `a later sign-in asks the gates again that have opened for the earlier one`() {
        let (campus, keepers, asked) = (Campus(motherboard), Asked<Doorkeeper>(), Asked<Question>())
        motherboard.probe(.doorkeeper, notedIn: keepers)
        motherboard.probe(.confirm, notedIn: asked)
        motherboard.gate(.session, by: .doorkeeper) { $0 ? .open : .closed }
        motherboard.gate(.session, by: .confirm, asking: { $0.name }, verdict: { $0 ? .open : .closed })
        for number in [1, 2] { motherboard.activate(.course, with: number) }
        campus.signIn("ada")
        keepers.boards[0].send(true)
        #expect(asked.inputs == ["ada"])
        campus.signIn("eve")
        asked.boards[0].send(true)
        #expect(keepers.inputs.count == 2)
        keepers.boards[0].send(true)
        asked.boards[1].send(true)
        #expect(campus.journal.lines == ["session of eve", "eve/course 1", "eve/course 2"])
        #expect(asked.inputs == ["ada", "eve"])
    }
}
