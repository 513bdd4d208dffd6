@testable import Backplane
import TestSupport
import Testing

/// Examples of differences between the rules and the runtime that random scripts have found.
@MainActor struct ReferenceModelIssueTests {
    private let motherboard = Motherboard.onMain()
    private let asked = Asked<Question>()

    /// Registers an organization as a scope, with a project inside it.
    private func registerOrganization(on motherboard: Motherboard) {
        motherboard.probe(.picker)
        motherboard.probe(.organization) { board, _ in board.inner.probe(.project) }
        motherboard.registerScope(.organization, enteredBy: .picker) { $0 }
        motherboard.declare(.project, inside: .organization)
    }

    @Test(.rule("B31")) func `general gates are asked from the root inward in front of a board inside a scope`() {
        motherboard.probe(.confirm, notedIn: asked)
        registerOrganization(on: motherboard)
        motherboard.activate(.organization, with: "acme")
        let tab = motherboard.makeInner()
        motherboard.gateAll(by: .confirm, with: "root") { $0 ? .open : .closed }
        tab.gateAll(by: .confirm, with: "tab") { $0 ? .open : .closed }
        tab.activate(.project, with: 1)
        #expect(asked.inputs == ["root"])
    }

    @Test(.rule("B31")) func `a gate that is set while an activation waits in front of a scope is asked, too`() {
        motherboard.probe(.confirm, notedIn: asked)
        registerOrganization(on: motherboard)
        motherboard.gate(.organization, by: .confirm, with: "root") { $0 ? .open : .closed }
        let tab = motherboard.makeInner()
        let organization = tab.activate(.organization, with: "acme")
        tab.gate(.organization, by: .confirm, with: "tab") { $0 ? .open : .closed }
        asked.boards.first?.send(true)
        #expect(asked.inputs == ["root", "tab"])
        #expect(organization.state == .waiting)
        asked.boards.last?.send(true)
        #expect(organization.state == .active)
    }

    @Test(.rule("B31")) func `a gate around a scope inside another one is asked once`() {
        let campus = Campus(motherboard)
        motherboard.probe(.confirm, notedIn: asked)
        motherboard.activate(.session, with: Account("ada"))
        motherboard.activate(.organization, with: "acme")
        let inner = campus.sessions[0].inner
        inner.gateAll(by: .confirm, with: "inside") { $0 ? .open : .closed }
        let project = inner.activate(.project, with: 1)
        asked.boards.first?.send(true)
        #expect(asked.inputs == ["inside"])
        #expect(project.state == .active)
    }

    @Test(.rule("B10", "B31")) func `no gate is asked in front of a scope that is not registered`() {
        motherboard.probe(.confirm, notedIn: asked)
        motherboard.probe(.picker)
        motherboard.registerScope(.organization, enteredBy: .picker) { $0 }
        let tab = motherboard.makeInner()
        tab.gate(.organization, by: .confirm, with: "tab") { $0 ? .open : .closed }
        #expect(tab.activate(.organization, with: "acme").state == .noSuchBoard)
        #expect(asked.inputs == [])
    }

    @Test(.rule("B43", "B56")) func `a snapshot enters no scope for which an activation waits on a nested motherboard`()
    {
        func setUp(_ motherboard: Motherboard) -> Motherboard {
            motherboard.probe(.confirm)
            registerOrganization(on: motherboard)
            let tab = motherboard.makeInner()
            tab.gate(.organization, by: .confirm, with: "tab") { $0 ? .open : .closed }
            return tab
        }
        #expect(setUp(motherboard).activate(.organization, with: "acme").state == .waiting)
        let other = Motherboard.onMain()
        _ = setUp(other)
        #expect(other.restore(motherboard.snapshot()).map(\.obstacle) == [.scopeNotEntered])
    }

    @Test(.rule("B43")) func `a restored gate board does not supersede the question of a restored activation`() {
        func setUp(_ motherboard: Motherboard, _ asked: Asked<Doorkeeper>) {
            motherboard.probe(.doorkeeper, notedIn: asked)
            motherboard.probe(.first)
            motherboard.probe(.second)
            motherboard.gate(.first, by: .doorkeeper) { $0 ? .open : .closed }
            motherboard.gate(.second, by: .doorkeeper) { $0 ? .open : .closed }
        }
        let doors = Asked<Doorkeeper>()
        setUp(motherboard, doors)
        motherboard.activate(.first, with: 1)
        doors.boards.last?.send(true)
        motherboard.activate(.second, with: 2)
        doors.boards.last?.send(true)
        let (other, others) = (Motherboard.onMain(), Asked<Doorkeeper>())
        setUp(other, others)
        var denials: [Denial] = []
        other.registerDenialFlow { denial, _ in denials.append(denial) }
        _ = other.restore(motherboard.snapshot())
        #expect(denials == [])
        #expect(others.boards.count == 1)
        others.boards.last?.send(true)
        #expect(other.isLive(.first))
        #expect(other.isLive(.second))
    }

    @Test(.rule("B43")) func `a restored gate board that waits is the one that a restored activation waits for`() {
        func setUp(_ motherboard: Motherboard, _ terms: Asked<Doorkeeper>) {
            motherboard.probe(.login)
            motherboard.probe(.terms, notedIn: terms)
            motherboard.probe(.first)
            motherboard.gate(.first, by: .login) { $0 ? .open : .closed }
            motherboard.gate(.login, by: .terms) { $0 ? .open : .closed }
        }
        let terms = Asked<Doorkeeper>()
        setUp(motherboard, terms)
        motherboard.activate(.first, with: 1)
        motherboard.activate(.login)
        let (other, otherTerms) = (Motherboard.onMain(), Asked<Doorkeeper>())
        setUp(other, otherTerms)
        #expect(other.restore(motherboard.snapshot()).isEmpty)
        otherTerms.boards.last?.send(true)
        #expect(other.isLive(.login))
        // A log-in that is being asked is not in a snapshot.
        #expect(other.snapshot().boards.map(\.board.name) == ["first", "terms"])
        #expect(other.snapshot().boards[0].isWaiting)
    }
}
