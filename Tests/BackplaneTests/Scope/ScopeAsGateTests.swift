import Backplane
import TestSupport
import Testing

/// A gate whose gate board is a scope makes no second live scope.
@Suite(.rule("B56"))
@MainActor struct ScopeAsGateTests {
    private let campus = Campus(.onMain())
    private var motherboard: Motherboard { campus.motherboard }

    init() {
        motherboard.probe(.words)
    }

    @Test func `when a gate asks a scope's board, the live scope is replaced`() {
        motherboard.gate(.words, by: .session, with: Account("eve")) { $0 == "yes" ? .open : .closed }
        motherboard.activate(.session, with: Account("ada"))
        let words = motherboard.activate(.words, with: "")
        #expect(motherboard.liveCount(of: .session) == 1)
        #expect(!campus.sessions[0].slot.isLive)
        #expect(motherboard.activate(.course, with: 1).state == .active)
        #expect(campus.journal.lines == ["session of ada", "session of eve", "eve/course 1"])
        campus.sessions.last?.send("yes")
        #expect(words.state == .active)
        #expect(!motherboard.isLive(.session))
    }

    @Test func `when a gate asks a scope's board, the activations that wait for the scope enter`() {
        motherboard.gate(.words, by: .session, with: Account("eve")) { $0 == "yes" ? .open : .closed }
        let course = motherboard.activate(.course, with: 1)
        motherboard.activate(.words, with: "")
        #expect(course.state == .active)
        #expect(campus.journal.lines == ["session of eve", "eve/course 1"])
    }

    @Test func `if a scope is entered again at its end, the question of a gate is denied`() {
        motherboard.gate(.words, by: .session, with: Account("eve")) { $0 == "yes" ? .open : .closed }
        motherboard.activate(.session, with: Account("ada"))
        campus.sessions[0].onEnd = { [motherboard] _, _ in motherboard.activate(.session, with: Account("bob")) }
        let words = motherboard.activate(.words, with: "")
        #expect(words.state == .denied(Denial(of: .words, by: .session, .gateSuperseded)))
        #expect(campus.journal.lines == ["session of ada", "session of bob"])
        #expect(motherboard.liveCount(of: .session) == 1)
    }

    @Test(.rule("B49")) func `if the factory of an entrance needs its scope, it is denied as a cycle`() {
        var course: Activation<Numbers>?
        motherboard.register(.signIn, replacing: true) { [motherboard] slot in
            course = motherboard.activate(.course, with: 1)
            return ProbeBoard(slot: slot)
        }
        #expect(motherboard.activate(.signIn).state == .active)
        let signIn = AnyBoardID(.signIn)
        #expect(course?.state == .denied(Denial(of: .course, by: .session, .cycle([signIn, signIn]))))
    }
}
