import Backplane
import TestSupport
import Testing

/// Questions that are open while a scope is entered, live or completed inside.
@Suite(.rule("B56"))
@MainActor struct ScopeQuestionTests {
    private let campus = Campus(.onMain())
    private let asked = Asked<Question>()
    private var motherboard: Motherboard { campus.motherboard }
    private var lines: [String] { campus.journal.lines }

    init() {
        motherboard.probe(.confirm, notedIn: asked)
    }

    private func askAbout(_ motherboard: Motherboard) {
        motherboard.probe(.words)
        motherboard.gateAll(by: .confirm, with: "Delete?", except: .session, .logIn) { $0 ? .open : .closed }
    }

    // MARK: Work of a question

    @Test(.rule("B49"), arguments: [true, false])
    func `work inside a gate board skips its question in a scope, whenever the scope is entered`(isLive: Bool) {
        askAbout(motherboard)
        if isLive { motherboard.activate(.session, with: Account("ada")) }
        let words = motherboard.activate(.words, with: "")
        let course = asked.boards[0].inner.activate(.course, with: 1)
        #expect(course.state == (isLive ? .active : .waiting))
        campus.signIn("ada")
        #expect(course.state == .active)
        #expect(words.state == .waiting)
        #expect(asked.inputs == ["Delete?"])
    }

    @Test(.rule("B49"), arguments: [true, false])
    func `an activation from outside asks a question for whose answer the scope was entered`(isGated: Bool) {
        let tab = motherboard.makeInner("tab")
        askAbout(motherboard)
        motherboard.activate(.words, with: "")
        asked.boards[0].nextToBoard(.session, with: Account("ada"))
        if isGated { tab.gate(.course, by: .doorkeeper) { _ in .open } }
        let course = tab.activate(.course, with: 1)
        #expect(course.state == .waiting)
        #expect(lines == ["session of ada"])
        #expect(campus.sessions[0].inner.activate(.course, with: 2).state == .active, "work of the session")
    }

    // MARK: Ends

    @Test func `activations go on waiting if a scope that was entered without the entrance ends at once`() {
        campus.onSession = { board, account in if account.name == "eve" { board.complete() } }
        let course = motherboard.activate(.course, with: 1)
        #expect(motherboard.activate(.session, with: Account("eve")).state == .completed)
        #expect(course.state == .waiting)
        #expect(motherboard.isLive(.logIn))
        #expect(campus.logIns.boards.count == 1, "the question stays open, and is not asked again")
        campus.signIn("ada")
        #expect(course.state == .active)
        #expect(lines == ["session of eve", "session of ada", "ada/course 1"])
    }

    @Test func `a scope whose nested motherboard has completed registers no board`() {
        var denials: [Denial] = []
        motherboard.registerDenialFlow { denial, _ in denials.append(denial) }
        motherboard.activate(.session, with: Account("ada"))
        let notInside = Denial(of: .course, by: .session, .notInside)
        var atEnd: Activation<Numbers>?
        campus.sessions[0].inner.probe(.third) { [motherboard] board, _ in
            board.slot.complete()
            campus.sessions[0].inner.complete()
            atEnd = motherboard.activate(.course, with: 1)
        }
        campus.sessions[0].inner.activate(.third, with: 1)
        #expect(atEnd?.state == .denied(notInside))
        #expect(motherboard.activate(.course, with: 2).state == .denied(notInside))
        #expect(denials == [notInside, notInside])
        #expect(motherboard.isLive(.session))
        #expect(!motherboard.isLive(.course))
        motherboard.activate(.session, with: Account("eve"))
        #expect(motherboard.activate(.course, with: 3).state == .active)
    }

    // MARK: Events

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
