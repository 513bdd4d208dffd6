import TestSupport
import Testing

@testable import Backplane

@Suite(.rule("B56"))
@MainActor struct ScopeDenialTests {
    private let campus = Campus(.onMain())
    private var motherboard: Motherboard { campus.motherboard }
    private var lines: [String] { campus.journal.lines }

    private func denial(by gate: AnyBoardID? = nil, _ reason: Denial.Reason) -> ActivationState {
        .denied(Denial(of: AnyBoardID(.course), by: gate ?? AnyBoardID(.session), reason))
    }

    @Test(arguments: [
        (Completion.done, Denial.Reason.gateDone), (.cancelled, .gateCancelled), (.failed(Oops()), .gateFailed),
    ])
    func `an entrance without an answer denies waiting activations`(completion: Completion, reason: Denial.Reason) {
        var denials: [Denial] = []
        motherboard.registerDenialFlow { denial, _ in denials.append(denial) }
        let courses = [1, 2].map { motherboard.activate(.course, with: $0) }
        campus.signIns.boards[0].complete(completion)
        let expected = denial(.gateDenied(Denial(of: .session, by: .signIn, reason)))
        #expect(courses.map(\.state) == [expected, expected])
        #expect(denials.count == 2)
        #expect(lines == [])
        // The next activation asks again.
        let course = motherboard.activate(.course, with: 3)
        campus.signIn("ada")
        #expect(course.state == .active)
    }

    @Test func `a scope without an entrance denies until the app activates it, and events name the board inside`() {
        let motherboard = Motherboard.onMain()
        let events = motherboard.observeEvents()
        motherboard.declare(.course, inside: .session)
        #expect(motherboard.activate(.course, with: 1).state == denial(.noSuchGate))
        #expect(events.boards(.noSuchBoard) == ["session"])
        motherboard.probe(.session) { board, _ in board.inner.probe(.course) }
        #expect(motherboard.activate(.course, with: 1).state == denial(.noEntrance))
        let denials = events.events.filter { $0.kind == .gateDenied }
        #expect(denials.map { [$0.board?.name, $0.gate?.name] } == [["course", "session"], ["course", "session"]])
        motherboard.activate(.session, with: Account("ada"))
        #expect(motherboard.activate(.course, with: 1).state == .active)
    }

    @Test func `a board that its scope does not register is denied once the scope is live`() {
        motherboard.declare(.words, inside: .session)
        motherboard.registerLink("words/{text}", to: .words)
        let words = motherboard.activate(.words, with: "a")
        #expect(words.state == .waiting)
        campus.signIn("ada")
        let expected = Denial(of: .words, by: .session, .notInside)
        #expect(words.state == .denied(expected))
        #expect(motherboard.activate(.words, with: "b").state == .denied(expected))
        #expect(motherboard.open("/words/c") == .denied(expected))
        // An activation from inside passes no scope.
        #expect(campus.sessions[0].inner.activate(.words, with: "d").state == .noSuchBoard)
    }

    @Test func `the description of a scope denial says how to fix the problem`() {
        #expect(
            Denial(of: .course, by: .session, .noEntrance).description == """
                Board 'course' needs the scope 'session', which is not live and has no entrance. Activate the scope, or set \
                its entrance with registerScope(_:enteredBy:).
                """
        )
        #expect(
            Denial(of: .course, by: .session, .notInside).description == """
                The scope 'session' registers no board 'course'. Register it on the inner motherboard of the scope's board.
                """
        )
    }

    @Test func `an entrance that activates a board inside its scope is a cycle`() {
        let motherboard = Motherboard.onMain()
        var inside: ActivationState?
        motherboard.probe(.session)
        motherboard.probe(.signIn) { board, _ in inside = board.nextToBoard(.course, with: 1).state }
        motherboard.registerScope(.session, enteredBy: .signIn) { _ in Account("ada") }
        motherboard.declare(.course, inside: .session)
        let course = motherboard.activate(.course, with: 2)
        let cycle = [AnyBoardID(.session), AnyBoardID(.signIn), AnyBoardID(.session)]
        #expect(inside == denial(.cycle(cycle)))
        #expect(course.state == .waiting)
    }

    // MARK: Entrances that a user opened

    @Test(.rule("B73", "B50")) func `an entrance opened during the wait stays`() {
        let course = motherboard.activate(.course, with: 1)
        let signIn = motherboard.activate(.signIn)
        course.complete()
        #expect(signIn.state == .active)
        campus.signIn("ada")
        #expect(motherboard.isLive(.session))
        #expect(campus.journal.lines == ["session of ada"])
    }
}
