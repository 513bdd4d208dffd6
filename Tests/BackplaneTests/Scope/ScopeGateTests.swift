import Backplane
import TestSupport
import Testing

@Suite(.rule("B56"))
@MainActor struct ScopeGateTests {
    private let campus = Campus(.onMain())
    private let asked = Asked<Question>()
    private var motherboard: Motherboard { campus.motherboard }
    private var lines: [String] { campus.journal.lines }

    init() {
        motherboard.probe(.confirm, notedIn: asked)
    }

    @Test func `a gate in front of a scope is asked after the entrance and denies waiting activations`() {
        motherboard.gate(.session, by: .confirm, asking: { "Terms for \($0.name)?" }, verdict: { $0 ? .open : .closed })
        let courses = [1, 2].map { motherboard.activate(.course, with: $0) }
        #expect(asked.inputs.isEmpty)
        campus.signIn("ada")
        #expect(asked.inputs == ["Terms for ada?"])
        #expect(lines == [])
        asked.boards[0].send(false)
        let denial = Denial(of: .session, by: .confirm, .closed)
        #expect(
            courses.map(\.state) == [1, 2].map { _ in .denied(Denial(of: .course, by: .session, .gateDenied(denial))) }
        )
        let course = motherboard.activate(.course, with: 3)
        campus.signIn("ada")
        asked.boards[1].send(true)
        #expect(course.state == .active)
        #expect(lines == ["session of ada", "ada/course 3"])
    }

    @Test(.rule("B51")) func `a denial inside a scope is handled where the activation was made`() {
        motherboard.gate(.course, by: .confirm, with: "outside") { $0 ? .open : .closed }
        let tab = motherboard.makeInner("tab")
        tab.gate(.course, by: .confirm, with: "tab") { $0 ? .open : .closed }
        motherboard.activate(.session, with: Account("ada"))
        var denials: [String] = []
        for (name, place) in ["tab": tab, "session": campus.sessions[0].inner] {
            place.registerDenialFlow { _, _ in denials.append(name) }
        }
        tab.activate(.course, with: 1)
        asked.boards[0].send(false)
        tab.activate(.course, with: 2)
        asked.boards[1].send(true)
        #expect(asked.inputs == ["outside", "outside", "tab"])
        asked.boards[2].send(false)
        #expect(denials == ["tab", "tab"])
    }

    @Test func `a board may be declared again inside its scope`() {
        campus.onSession = { board, _ in board.inner.declare(.course, inside: .session) }
        let course = motherboard.activate(.course, with: 1)
        campus.signIn("ada")
        #expect(course.state == .active)
        #expect(motherboard.isLive(.course))
        #expect(motherboard.send(1, to: .course) == .delivered(1))
    }

    @Test func `a gate in front of a board inside a scope is asked after the scope is entered`() {
        motherboard.gate(.course, by: .confirm, with: "outside") { $0 ? .open : .closed }
        campus.onSession = { board, _ in
            board.inner.gate(.course, by: .confirm, with: "inside") { $0 ? .open : .closed }
        }
        let course = motherboard.activate(.course, with: 1)
        #expect(asked.inputs.isEmpty)
        campus.signIn("ada")
        #expect(asked.inputs == ["outside"])
        asked.boards[0].send(true)
        #expect(asked.inputs == ["outside", "inside"])
        #expect(course.state == .waiting)
        asked.boards[1].send(true)
        #expect(course.state == .active)
        #expect(lines == ["session of ada", "ada/course 1"])
    }

    @Test(.rule("B49")) func `a gate board that activates a board inside its scope is a cycle`() {
        var inside: Activation<Numbers>?
        motherboard.register(.permission) { slot in
            ProbeBoard(slot: slot) { board, _ in inside = board.nextToBoard(.course, with: 1) }
        }
        motherboard.gate(.session, by: .permission, with: "?") { $0 ? .open : .closed }
        let course = motherboard.activate(.course, with: 2)
        campus.signIn("ada")
        #expect(course.state == .waiting)
        #expect(lines == [])
        let cycle = [AnyBoardID(.session), AnyBoardID(.permission), AnyBoardID(.session)]
        #expect(inside?.state == .denied(Denial(of: .course, by: .session, .cycle(cycle))))
    }

    // MARK: Work of a question

    private func askAbout(_ motherboard: Motherboard) {
        motherboard.probe(.words)
        motherboard.gateAll(by: .confirm, with: "Delete?", except: .session, .signIn) { $0 ? .open : .closed }
    }

    @Test(.rule("B49"), arguments: [true, false])
    func `work inside a gate board skips its own question inside a scope`(isLive: Bool) {
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
    func `an activation from outside still asks the question for which the scope was entered`(isGated: Bool) {
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
}
