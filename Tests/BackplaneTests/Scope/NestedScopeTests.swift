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

    @Test func `activations from outside and from inside share the inner entrance`() {
        let outside = motherboard.activate(.project, with: 1)
        campus.onSession = { [motherboard] board, _ in
            board.inner.activate(.project, with: 2)
            motherboard.activate(.project, with: 3)
        }
        campus.signIn("ada")
        #expect(campus.pickers.boards.count == 1)
        campus.sessions[0].inner.activate(.project, with: 4)
        campus.pick("acme")
        #expect(campus.pickers.boards.count == 1)
        #expect(outside.state == .superseded)
        #expect(lines.filter { $0.hasPrefix("ada/acme/") }.count == 4)
    }

    @Test func `an inner scope can be entered from inside while activations wait outside`() {
        let project = motherboard.activate(.project, with: 1)
        campus.signIn("ada")
        campus.sessions[0].inner.activate(.organization, with: "acme")
        #expect(project.state == .active)
        #expect(!motherboard.isLive(.picker))
        #expect(lines.last == "ada/acme/project 1")
    }

    @Test func `an outer scope that ends denies the activations waiting for the inner scope`() {
        let project = motherboard.activate(.project, with: 1)
        campus.signIn("ada")
        motherboard.complete(.session)
        #expect(project.state == .denied(Denial(of: .project, by: .organization, .ownerGone)))
        let next = motherboard.activate(.project, with: 2)
        campus.signIn("eve")
        campus.pick("acme")
        #expect(next.state == .active)
        #expect(lines.last == "eve/acme/project 2")
    }

    @Test func `each user has a separate inner scope`() {
        motherboard.activate(.session, with: Account("ada"))
        motherboard.activate(.organization, with: "acme")
        motherboard.activate(.session, with: Account("eve"))
        #expect(!motherboard.isLive(.organization))
        let project = motherboard.activate(.project, with: 1)
        #expect(project.state == .waiting)
        campus.pick("acme")
        #expect(lines.last == "eve/acme/project 1")
    }

    @Test func `completing an inner scope from outside denies the activations waiting for that scope`() {
        let project = motherboard.activate(.project, with: 1)
        campus.signIn("ada")
        motherboard.complete(.organization)
        #expect(project.state == .denied(Denial(of: .project, by: .organization, .gateCancelled)))
        #expect(!motherboard.isLive(.picker))
    }

    @Test func `an inner scope activated directly waits for the outer scope`() {
        let organization = motherboard.activate(.organization, with: "acme")
        #expect(organization.state == .waiting)
        campus.signIn("ada")
        #expect(organization.state == .active)
        #expect(lines == ["session of ada", "ada/acme"])
    }

    @Test func `the entrance of a scope can be inside another scope`() {
        let motherboard = Motherboard.onMain()
        let logIns = Asked<LogIn>()
        var names: [String] = []
        motherboard.probe(.figures)
        motherboard.probe(.doorkeeper) { board, _ in board.send(true) }
        motherboard.probe(.words) { board, _ in board.inner.probe(.logIn, notedIn: logIns) }
        motherboard.registerScope(.words, enteredBy: .doorkeeper) { $0 ? "welcome" : nil }
        motherboard.declare(.logIn, inside: .words)
        motherboard.probe(.session) { board, account in
            board.inner.probe(.course) { _, _ in names.append(account.name) }
        }
        motherboard.registerScope(.session, enteredBy: .logIn) { output in
            if case .signedIn(let account) = output { account } else { nil }
        }
        motherboard.declare(.course, inside: .session)
        let course = motherboard.activate(.course, with: 1)
        #expect(course.state == .waiting)
        logIns.boards[0].send(.signedIn(Account("ada")))
        #expect(course.state == .active)
        #expect(names == ["ada"])
    }
}

@Suite(.rule("B56"))
@MainActor struct OuterScopeTests {
    private let motherboard = Motherboard.onMain()
    private let journal = Journal()
    private let pickers = Asked<Picker>()

    init() {
        motherboard.probe(.logIn) { board, _ in board.send(.signedIn(Account("ada"))) }
        motherboard.registerScope(.session, enteredBy: .logIn) { output in
            if case .signedIn(let account) = output { account } else { nil }
        }
        motherboard.registerScope(.organization, enteredBy: .picker) { $0 }
        motherboard.declare(.picker, .organization, inside: .session)
        motherboard.declare(.project, inside: .organization)
        motherboard.register(.session) { [journal, pickers] slot, account in
            slot.inner.probe(.picker, notedIn: pickers)
            slot.inner.probe(.organization) { board, name in
                board.inner.probe(.project) { _, number in
                    journal.note("\(account.name)/\(name)/\(number)")
                }
            }
            return ProbeBoard(slot: slot)
        }
    }

    @Test func `scopes registered on the root motherboard are entered where their boards are`() {
        let project = motherboard.activate(.project, with: 1)
        #expect(project.state == .waiting)
        pickers.boards[0].send("acme")
        #expect(journal.lines == ["ada/acme/1"])
        motherboard.complete(.organization)
        #expect(motherboard.activate(.project, with: 2).state == .waiting)
        motherboard.complete(.session)
        #expect(motherboard.activate(.project, with: 3).state == .waiting)
        #expect(pickers.boards.count == 3)
        pickers.boards[2].send("evil")
        #expect(journal.lines == ["ada/acme/1", "ada/evil/3"])
    }

    @Test func `the inner entrance enters its scope without a waiting activation`() {
        motherboard.activate(.session, with: Account("eve"))
        motherboard.activate(.picker)
        pickers.boards[0].send("acme")
        #expect(motherboard.isLive(.organization))
        #expect(motherboard.activate(.project, with: 1).state == .active)
    }

    @Test func `a scope registered inside the outer scope takes precedence`() {
        motherboard.register(.session, replacing: true) { [journal] slot, account in
            slot.inner.probe(.picker) { board, _ in board.send("own") }
            slot.inner.registerScope(.organization, enteredBy: .picker) { "\($0)!" }
            slot.inner.probe(.organization) { board, name in
                board.inner.probe(.project) { _, _ in journal.note(name) }
            }
            return ProbeBoard(slot: slot)
        }
        motherboard.activate(.project, with: 1)
        #expect(journal.lines == ["own!"])
    }
}
