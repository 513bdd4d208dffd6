@testable import Backplane
import TestSupport
import Testing

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
    func `an entrance without a response denies waiting activations`(completion: Completion, reason: Denial.Reason) {
        var denials: [Denial] = []
        motherboard.registerDenialFlow { denial, _ in denials.append(denial) }
        let courses = [1, 2].map { motherboard.activate(.course, with: $0) }
        campus.logIns.boards[0].complete(completion)
        let expected = denial(.gateDenied(Denial(of: .session, by: .logIn, reason)))
        #expect(courses.map(\.state) == [expected, expected])
        #expect(denials.count == 2)
        #expect(lines == [])
        // The next activation asks again.
        let course = motherboard.activate(.course, with: 3)
        campus.signIn("ada")
        #expect(course.state == .active)
    }

    @Test func `a scope without an entrance denies until the app activates the scope`() {
        let motherboard = Motherboard.onMain()
        motherboard.declare(.course, inside: .session)
        #expect(motherboard.activate(.course, with: 1).state == denial(.noSuchGate))
        motherboard.probe(.session) { board, _ in board.inner.probe(.course) }
        #expect(motherboard.activate(.course, with: 1).state == denial(.noEntrance))
        motherboard.activate(.session, with: Account("ada"))
        #expect(motherboard.activate(.course, with: 1).state == .active)
    }

    @Test func `a scope without a registered board denies and does not ask its entrance`() {
        let motherboard = Motherboard.onMain()
        let logIns = Asked<LogIn>()
        motherboard.probe(.logIn, notedIn: logIns)
        motherboard.registerScope(.session, enteredBy: .logIn) { _ in Account("ada") }
        motherboard.declare(.course, inside: .session)
        let events = motherboard.observeEvents()
        #expect(motherboard.activate(.course, with: 1).state == denial(.noSuchGate))
        #expect(events.boards(.noSuchBoard) == ["session"])
        #expect(logIns.boards.isEmpty)
    }

    @Test func `an unregistered entrance denies`() {
        let motherboard = Motherboard.onMain()
        motherboard.probe(.session)
        motherboard.registerScope(.session, enteredBy: .logIn) { _ in Account("ada") }
        motherboard.declare(.course, inside: .session)
        let expected = denial(.gateDenied(Denial(of: .session, by: .logIn, .noSuchGate)))
        #expect(motherboard.activate(.course, with: 1).state == expected)
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

    @Test func `a scope that ends while being entered denies the waiting activations`() {
        campus.onSession = { board, _ in board.complete(.failed(Oops())) }
        let course = motherboard.activate(.course, with: 1)
        campus.signIn("ada")
        #expect(course.state == denial(.gateFailed))
        #expect(lines == ["session of ada"])
        #expect(!motherboard.isLive(.session))
    }

    @Test func `a scope ended by the first board inside denies the others, even if a new user has entered`() {
        motherboard.registerFlow(from: .first) { [campus] _, motherboard in
            motherboard.complete(.session)
            motherboard.activate(.session, with: Account("eve"))
            campus.journal.note("eve is here")
        }
        campus.onSession = { board, account in
            guard account.name == "ada" else { return }
            board.inner.probe(.second) { [motherboard] _, _ in
                motherboard.complete(.session)
                motherboard.activate(.session, with: Account("eve"))
            }
        }
        motherboard.declare(.second, inside: .session)
        let second = motherboard.activate(.second, with: 1)
        let course = motherboard.activate(.course, with: 2)
        campus.signIn("ada")
        #expect(lines == ["session of ada", "session of eve"])
        #expect(second.state == .completed)
        #expect(course.state == denial(.gateDone))
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

    @Test func `the entrance stays live until the last waiting activation is cancelled`() {
        let courses = [1, 2].map { motherboard.activate(.course, with: $0) }
        courses[0].complete()
        #expect(courses[0].state == .completed)
        #expect(motherboard.isLive(.logIn))
        courses[1].complete()
        #expect(!motherboard.isLive(.logIn))
        campus.signIn("ada")
        #expect(lines == [])
        #expect(!motherboard.isLive(.session))
    }

    @Test func `completing the scope or the motherboard ends the waiting activations`() {
        let first = motherboard.activate(.course, with: 1)
        motherboard.complete(.session)
        #expect(first.state == denial(.gateCancelled))
        #expect(!motherboard.isLive(.logIn))
        let second = motherboard.activate(.course, with: 2)
        motherboard.completeAllBoards()
        #expect(second.state == .completed)
        let third = motherboard.activate(.course, with: 3)
        motherboard.complete()
        #expect(third.state == denial(.ownerGone))
        #expect(lines == [])
    }

    @Test func `a board inside a scope is denied as a cycle if the scope's entrance activates that board`() {
        let motherboard = Motherboard.onMain()
        var inside: ActivationState?
        motherboard.probe(.session)
        motherboard.probe(.logIn) { board, _ in inside = board.nextToBoard(.course, with: 1).state }
        motherboard.registerScope(.session, enteredBy: .logIn) { _ in Account("ada") }
        motherboard.declare(.course, inside: .session)
        let course = motherboard.activate(.course, with: 2)
        let cycle = [AnyBoardID(.session), AnyBoardID(.logIn), AnyBoardID(.session)]
        #expect(inside == denial(.cycle(cycle)))
        #expect(course.state == .waiting)
    }

    @Test func `an entrance declared inside its own scope is denied as a cycle`() {
        let motherboard = Motherboard.onMain()
        motherboard.probe(.session) { board, _ in
            board.inner.probe(.logIn)
            board.inner.probe(.course)
        }
        motherboard.registerScope(.session, enteredBy: .logIn) { _ in Account("ada") }
        motherboard.declare(.course, .logIn, inside: .session)
        guard case .denied(let denial) = motherboard.activate(.course, with: 2).state else {
            Issue.record("The course was not denied.")
            return
        }
        #expect("\(denial)".contains("cycle"))
    }

    @Test func `the events of a scope that is not registered name the board inside and the scope`() {
        let motherboard = Motherboard.onMain()
        let events = motherboard.observeEvents()
        motherboard.registerScope(.session, enteredBy: .doorkeeper) { $0 ? Account("ada") : nil }
        motherboard.declare(.course, inside: .session)
        let course = motherboard.activate(.course, with: 1)
        #expect(course.state == .denied(Denial(of: .course, by: .session, .noSuchGate)))
        #expect(events.boards(.noSuchBoard) == ["session"])
        #expect(events.events.filter { $0.kind == .gateDenied }.map(\.board?.name) == ["course"])
    }

    @Test func `the events of a scope without an entrance name the board inside and the scope`() {
        let motherboard = Motherboard.onMain()
        let events = motherboard.observeEvents()
        motherboard.probe(.session)
        motherboard.declare(.course, inside: .session)
        let course = motherboard.activate(.course, with: 1)
        #expect(course.state == .denied(Denial(of: .course, by: .session, .noEntrance)))
        #expect(events.boards(.gateDenied) == ["course"])
        #expect(events.events.last { $0.kind == .gateDenied }?.gate == AnyBoardID(.session))
    }
}
