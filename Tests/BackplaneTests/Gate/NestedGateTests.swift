import TestSupport
import Testing

@testable import Backplane

/// A gate board lives on the motherboard that set the gate.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct NestedGateTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()
    let logins = Asked<Doorkeeper>()

    init() {
        motherboard.probe(.login, notedIn: logins)
        for id in [BoardID<Numbers>.first, .second] {
            motherboard.probe(id, reuse: .perActivation) { [journal] _, input in journal.note("\(id) \(input)") }
        }
    }

    @Test(.rule("B48")) func `a gate set on a nested motherboard uses the board and flows registered there`() {
        let inner = motherboard.makeInner()
        let own = Asked<Doorkeeper>()
        inner.probe(.login, notedIn: own)
        inner.registerFlow(from: .login) { [journal] _, _ in journal.note("inner flow") }
        motherboard.registerFlow(from: .login) { [journal] _, _ in journal.note("outer flow") }
        inner.gate(.first, by: .login) { $0 ? .open : .closed }
        let inside = inner.activate(.first, with: 1)
        #expect(motherboard.activate(.first, with: 2).state == .active)
        #expect(inner.isLive(.login))
        #expect(!motherboard.isLive(.login))
        #expect(logins.boards.isEmpty)
        own.boards[0].send(true)
        #expect(inside.state == .active)
        #expect(journal.lines == ["first 2", "inner flow", "first 1"])
    }

    @Test(.rule("B48", "B33")) func `a released motherboard denies the waiting activations at every depth`() {
        var motherboard: Motherboard? = Motherboard()
        motherboard?.probe(.first)
        motherboard?.probe(.login)
        motherboard?.probe(.terms)
        motherboard?.gate(.first, by: .login) { _ in .open }
        motherboard?.gate(.second, by: .terms) { _ in .open }
        motherboard?.probe(.second)
        motherboard?.gate(.login, by: .terms) { _ in .open }
        let inner = motherboard?.makeInner()
        // The second board waits at the terms before the login board does.
        let second = motherboard?.activate(.second, with: 1)
        let inside = inner?.activate(.first, with: 1)
        let outside = motherboard?.activate(.first, with: 1)
        motherboard = nil
        #expect(second?.state == .denied(Denial(of: .second, by: .terms, .ownerGone)))
        #expect(inside?.state == .denied(Denial(of: .first, by: .login, .ownerGone)))
        #expect(outside?.state == .denied(Denial(of: .first, by: .login, .ownerGone)))
    }

    @Test(.rule("B48", "B49"))
    func `a result requested inside the gate board does not wait at the gate`() async throws {
        motherboard.register(.second, replacing: true) { slot in
            ProbeBoard<Numbers>(slot: slot) { board, input in board.send(input) }
        }
        motherboard.gateAll(by: .login) { $0 ? .open : .closed }
        var work: Task<Void, Never>?
        motherboard.register(.login, replacing: true) { slot in
            ProbeBoard<Doorkeeper>(slot: slot) { board, _ in
                work = board.task { board.send(try await board.inner.result(of: .second, with: 7) == 7) }
            }
        }
        let activation = motherboard.activate(.first, with: 1)
        #expect(activation.state == .waiting)
        await work?.value
        #expect(activation.state == .active)
    }
}
