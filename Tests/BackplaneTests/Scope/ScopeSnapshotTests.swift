import Foundation
import TestSupport
import Testing

@testable import Backplane

@Suite(.rule("B56"))
@MainActor struct ScopeSnapshotTests {
    private let campus = Campus(.onMain())
    private var motherboard: Motherboard { campus.motherboard }

    private func stored(_ snapshot: BoardSnapshot) throws -> BoardSnapshot {
        try JSONDecoder().decode(BoardSnapshot.self, from: JSONEncoder().encode(snapshot))
    }

    /// Returns the stored snapshot of Ada's session with a course and a project.
    private func makeSnapshot() throws -> BoardSnapshot {
        let campus = Campus(.onMain())
        campus.motherboard.activate(.session, with: Account("ada"))
        campus.motherboard.activate(.course, with: 7)
        campus.motherboard.activate(.organization, with: "acme")
        campus.motherboard.activate(.project, with: 8)
        return try stored(campus.motherboard.snapshot())
    }

    @Test func `boards inside a scope are restored after the app has entered the scope`() throws {
        motherboard.activate(.session, with: Account("ada"))
        motherboard.activate(.organization, with: "acme")
        #expect(motherboard.restore(try makeSnapshot()) == [])
        #expect(campus.journal.lines == ["session of ada", "ada/acme", "ada/course 7", "ada/acme/project 8"])
    }

    @Test func `a snapshot restores nothing inside a missing scope and can be restored again later`() throws {
        let snapshot = try makeSnapshot()
        #expect(
            motherboard.restore(snapshot).map(\.description) == [
                "session: scopeNotEntered", "session/course: outsideMissing", "session/organization: outsideMissing",
                "session/organization/project: outsideMissing",
            ]
        )
        #expect(campus.journal.lines == [])
        #expect(campus.signIns.boards.isEmpty)
        motherboard.activate(.session, with: Account("ada"))
        #expect(
            motherboard.restore(snapshot).map(\.description) == [
                "session/organization: scopeNotEntered", "session/organization/project: outsideMissing",
            ]
        )
        motherboard.activate(.organization, with: "acme")
        #expect(motherboard.restore(snapshot) == [])
        #expect(campus.journal.lines == ["session of ada", "ada/course 7", "ada/acme", "ada/acme/project 8"])
    }

    @Test(.rule("B31", "B43"), arguments: [true, false])
    func `an activation inside a scope is restored only if all its gates are inside the scope`(isGated: Bool) throws {
        motherboard.probe(.doorkeeper)
        motherboard.gate(.course, by: .doorkeeper) { $0 ? .open : .closed }
        let tab = motherboard.makeInner()
        if isGated { tab.gateAll(by: .terms) { $0 ? .open : .closed } }
        motherboard.activate(.session, with: Account("ada"))
        tab.activate(.course, with: 1)
        let snapshot = try stored(motherboard.snapshot())
        let other = Campus(.onMain())
        other.motherboard.probe(.doorkeeper)
        other.motherboard.gate(.course, by: .doorkeeper) { $0 ? .open : .closed }
        _ = other.motherboard.makeInner()
        other.motherboard.activate(.session, with: Account("ada"))
        #expect(other.motherboard.restore(snapshot).map(\.description) == (isGated ? ["session/course: denied"] : []))
        #expect(other.motherboard.snapshot().boards.flatMap(\.inside).map(\.isWaiting) == (isGated ? [] : [true]))
    }

    @Test(.rule("B43")) func `a restored activation does not enter a scope that is declared only inside`() throws {
        motherboard.activate(.organization, with: "acme")
        let snapshot = try stored(motherboard.snapshot())
        let other = Campus(.onMain())
        var denials: [Denial] = []
        other.motherboard.registerDenialFlow { denial, _ in denials.append(denial) }
        #expect(other.motherboard.restore(snapshot) == [])
        #expect(other.motherboard.snapshot().boards.map(\.isWaiting) == [true])
        other.signIn("ada")
        #expect(denials == [Denial(of: .organization, by: .organization, .noEntrance)])
        #expect(other.journal.lines == ["session of ada"])
        campus.signIn("ada")
        #expect(campus.journal.lines == ["session of ada", "ada/acme"], "an activation of the app enters it")
    }

    @Test func `an activation waiting for a scope is in the snapshot and waits again after restoring`() throws {
        motherboard.activate(.course, with: 7)
        let snapshot = try stored(motherboard.snapshot())
        #expect(snapshot.boards.map { "\($0.board) at \($0.gate?.name ?? "-")" } == ["course at session"])
        let other = Campus(.onMain())
        #expect(other.motherboard.restore(snapshot) == [])
        other.signIn("ada")
        #expect(other.journal.lines == ["session of ada", "ada/course 7"])
    }
}
