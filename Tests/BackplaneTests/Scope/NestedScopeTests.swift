import Backplane
import TestSupport
import Testing

@Suite(.rule("B56"))
@MainActor struct NestedScopeTests {
    private let campus = Campus(.onMain())
    private var motherboard: Motherboard { campus.motherboard }
    private var lines: [String] { campus.journal.lines }

    @Test func `a board two scopes deep enters after both scopes, and the inner entrance is asked inside`() {
        let project = motherboard.activate(.project, with: 7)
        #expect(campus.pickers.boards.isEmpty)
        campus.signIn("ada")
        #expect(project.state == .waiting)
        #expect(campus.pickers.boards.count == 1)
        campus.pick("acme")
        #expect(lines == ["session of ada", "ada/acme", "ada/acme/project 7"])
        #expect(project.state == .active)
        #expect(motherboard.activate(.project, with: 8).state == .active)
        #expect(motherboard.isLive(.organization))
        #expect(campus.sessions[0].inner.isLive(.organization))
    }

    @Test func `the entrance of a scope can be inside another scope`() {
        let motherboard = Motherboard.onMain()
        let signIns = Asked<SignIn>()
        var names: [String] = []
        motherboard.probe(.figures)
        motherboard.probe(.doorkeeper) { board, _ in board.send(true) }
        motherboard.probe(.words) { board, _ in board.inner.probe(.signIn, notedIn: signIns) }
        motherboard.registerScope(.words, enteredBy: .doorkeeper) { $0 ? "welcome" : nil }
        motherboard.declare(.signIn, inside: .words)
        motherboard.probe(.session) { board, account in
            board.inner.probe(.course) { _, _ in names.append(account.name) }
        }
        motherboard.registerScope(.session, enteredBy: .signIn) { $0.account }
        motherboard.declare(.course, inside: .session)
        let course = motherboard.activate(.course, with: 1)
        #expect(course.state == .waiting)
        signIns.boards[0].send(.signedIn(Account("ada")))
        #expect(course.state == .active)
        #expect(names == ["ada"])
    }

    @Test func `a scope that is registered inside the outer scope is preferred to one outside`() {
        let (motherboard, journal) = (Motherboard.onMain(), Journal())
        motherboard.probe(.signIn) { board, _ in board.send(.signedIn(Account("ada"))) }
        motherboard.registerScope(.session, enteredBy: .signIn) { $0.account }
        motherboard.registerScope(.organization, enteredBy: .picker) { $0 }
        motherboard.declare(.picker, .organization, inside: .session)
        motherboard.declare(.project, inside: .organization)
        motherboard.register(.session) { slot, account in
            slot.inner.probe(.picker) { board, _ in board.send("own") }
            slot.inner.registerScope(.organization, enteredBy: .picker) { "\($0)!" }
            slot.inner.probe(.organization) { board, name in
                board.inner.probe(.project) { _, number in journal.note("\(account.name)/\(name)/\(number)") }
            }
            return ProbeBoard(slot: slot)
        }
        motherboard.activate(.project, with: 1)
        #expect(journal.lines == ["ada/own!/1"])
    }
}
