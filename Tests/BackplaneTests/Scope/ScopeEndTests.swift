import TestSupport
import Testing

@testable import Backplane

@Suite(.rule("B56"))
@MainActor struct ScopeEndTests {
    private let campus = Campus(.onMain())
    private var motherboard: Motherboard { campus.motherboard }
    private var lines: [String] { campus.journal.lines }

    @Test func `completing a scope ends its boards in order, and the next user gets a new scope`() {
        let course = motherboard.activate(.course, with: 7)
        campus.signIn("ada")
        let project = motherboard.activate(.project, with: 8)
        campus.pick("acme")
        let events = motherboard.observeEvents()
        motherboard.complete(.session)
        #expect(events.boards(.completed) == ["course", "picker", "project", "organization", "session"])
        #expect([course.state, project.state] == [.completed, .completed])
        let next = motherboard.activate(.course, with: 9)
        #expect(next.state == .waiting)
        campus.signIn("eve")
        #expect(lines.suffix(2) == ["session of eve", "eve/course 9"])
    }

    @Test func `an entrance with switching ends the live scope and enters a new scope`() {
        motherboard.registerScope(.session, enteredBy: .signIn, replacing: true, switching: true) { $0.account }
        let first = motherboard.activate(.course, with: 7)
        campus.signIn("ada")
        let events = motherboard.observeEvents()
        motherboard.activate(.signIn)
        campus.signIn("eve")
        #expect(first.state == .completed)
        #expect(motherboard.liveCount(of: .session) == 1)
        motherboard.activate(.course, with: 8)
        #expect(lines == ["session of ada", "ada/course 7", "session of eve", "eve/course 8"])
        #expect(events.boards(.droppedEntrance).isEmpty)
    }

    @Test func `a switching entrance inside a scope switches only the nested scope`() {
        campus.onSession = { board, _ in
            board.inner.registerScope(.organization, enteredBy: .picker, replacing: true, switching: true) { $0 }
        }
        motherboard.activate(.session, with: Account("ada"))
        let project = motherboard.activate(.project, with: 1)
        campus.pick("acme")
        motherboard.activate(.picker)
        campus.pick("initech")
        #expect(project.state == .completed)
        motherboard.activate(.project, with: 2)
        #expect(
            lines == ["session of ada", "ada/acme", "ada/acme/project 1", "ada/initech", "ada/initech/project 2"]
        )
    }

    @Test func `the handle of an activation denied at the end of a session does not retain the account`() {
        campus.onSession = { board, _ in
            board.inner.probe(.second) { [motherboard] _, _ in motherboard.complete(.session) }
        }
        motherboard.declare(.second, inside: .session)
        motherboard.activate(.second, with: 1)
        let course = motherboard.activate(.course, with: 2)
        var account: Account? = Account("ada")
        let weak = Weak(account)
        if let account { campus.signIns.boards[0].send(.signedIn(account)) }
        account = nil
        campus.forget()
        guard case .denied = course.state else {
            Issue.record("The course should be denied, but its state is \(course.state).")
            return
        }
        #expect(weak.object == nil)
    }

    @Test func `an account is released after its session has ended`() {
        var accounts: [Weak<Account>] = []
        for number in 0..<1000 {
            motherboard.activate(.course, with: number)
            let account = Account("user \(number)")
            accounts.append(Weak(account))
            campus.signIns.boards.last?.send(.signedIn(account))
            motherboard.activate(.project, with: number)
            campus.pick("acme")
            #expect(motherboard.isLive(.project))
            motherboard.complete(.session)
            campus.forget()
        }
        #expect(accounts.allSatisfy { $0.object == nil })
        #expect(motherboard.snapshot().boards.map(\.board) == [AnyBoardID(.signIn)])
    }
}
