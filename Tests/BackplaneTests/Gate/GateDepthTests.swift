import TestSupport
import Testing

@testable import Backplane

/// Questions inside the boards of other questions cost as much as there are levels.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct GateDepthTests {
    // If each board asks all boards around it, this takes longer than the time limit.
    @Test(.rule("B83")) func `if boards are inside each other, not each of them asks all boards around it`() {
        let root = Motherboard.onMain()
        root.probe(.form)
        root.probe(.login)
        root.gate(.form, by: .login) { $0 ? .open : .closed }
        root.activate(.form)
        var innermost = root
        for level in 0..<1_600 {
            var inner: Motherboard?
            innermost.probe(.first) { board, _ in inner = board.inner }
            #expect(innermost.activate(.first, with: level).state == .active)
            guard let inner else { return }
            innermost = inner
        }
        root.complete()
    }

    @Test(.rule("B83", "B49")) func `a nested motherboard follows each change of the purpose of its board`() {
        let motherboard = Motherboard.onMain()
        let logins = Asked<Doorkeeper>()
        motherboard.probe(.login, notedIn: logins)
        motherboard.probe(.terms)
        motherboard.probe(.form)
        motherboard.probe(.camera)
        motherboard.gate(.camera, by: .terms) { $0 ? .open : .closed }
        motherboard.gate(.form, by: .login) { $0 ? .open : .closed }
        motherboard.activate(.camera)
        motherboard.activate(.login)
        let container = BoardID<GuardedPage>("container")
        var innermost: Motherboard?
        motherboard.probe(container) { board, _ in innermost = board.inner }
        logins.boards[0].inner.activate(container)
        var runs: Int { [UInt64](innermost?.purpose(nil)).count }
        #expect(runs == 0)
        let form = motherboard.activate(.form)
        #expect(runs == 1)
        #expect(innermost?.activate(.form).state == .active)
        // Another activation of the sign-in supersedes the question.
        motherboard.activate(.login)
        #expect(form.state == .denied(Denial(of: .form, by: .login, .gateSuperseded)))
        #expect(runs == 0)
        #expect(innermost?.activate(.form).state == .waiting)
    }
}
