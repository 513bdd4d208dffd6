import Backplane
import TestSupport
import Testing

/// A caller can await the end of an activation's wait.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct SettledTests {
    let motherboard = Motherboard.onMain()
    let logins = Asked<Doorkeeper>()

    init() {
        motherboard.probe(.login, notedIn: logins)
        motherboard.probe(.first)
        motherboard.gate(.first, by: .login) { $0 ? .open : .closed }
    }

    /// Returns a task that already waits for `activation` to settle.
    private func wait(for activation: Activation<Numbers>) async -> Task<ActivationState, Never> {
        let waiter = Task { await activation.settled() }
        for _ in 0..<5 { await Task.yield() }
        return waiter
    }

    @Test(.rule("B51")) func `an activation that does not wait is settled at once`() async {
        #expect(await motherboard.activate(BoardID<Words>("nobody"), with: "").settled() == .noSuchBoard)
        motherboard.probe(.second)
        let second = motherboard.activate(.second, with: 1)
        #expect(await second.settled() == .active)
        second.complete()
        #expect(await second.settled() == .completed)
        let denied = motherboard.activate(.first, with: 1)
        logins.boards[0].send(false)
        #expect(await denied.settled() == .denied(Denial(of: .first, by: .login, .closed)))
    }

    @Test(.rule("B51"), arguments: [Denial.Reason.gateDone, .ownerGone])
    func `an activation settles when its gate board or the motherboard ends`(reason: Denial.Reason) async {
        let waiter = await wait(for: motherboard.activate(.first, with: 1))
        if reason == .ownerGone { motherboard.complete() } else { logins.boards[0].complete() }
        #expect(await waiter.value == .denied(Denial(of: .first, by: .login, reason)))
    }

    @Test(.rule("B51")) func `a waiter receives the state at its resumption, not the state at the opening`() async {
        let activation = motherboard.activate(.first, with: 1)
        let waiter = await wait(for: activation)
        logins.boards[0].send(true)
        activation.complete()
        #expect(await waiter.value == .completed)
    }

    @Test(.rule("B51")) func `a cancelled waiter receives the waiting state, and the activation keeps waiting`() async {
        let activation = motherboard.activate(.first, with: 1)
        let cancelled = await wait(for: activation)
        let other = await wait(for: activation)
        cancelled.cancel()
        #expect(await cancelled.value == .waiting)
        #expect(activation.state == .waiting)
        logins.boards[0].send(true)
        #expect(await other.value == .active)
    }

    @Test(.rule("B51")) func `an already cancelled caller does not wait`() async {
        let activation = motherboard.activate(.first, with: 1)
        let waiter = Task { await activation.settled() }
        waiter.cancel()
        #expect(await waiter.value == .waiting)
    }

    @Test(.rule("B51", "B33")) func `a waiter does not retain the motherboard`() async {
        weak var gone: Motherboard?
        var waiter: Task<ActivationState, Never>?
        do {
            let motherboard = Motherboard()
            gone = motherboard
            motherboard.probe(.login)
            motherboard.probe(.first)
            motherboard.gate(.first, by: .login) { _ in .open }
            let activation = motherboard.activate(.first, with: 1)
            waiter = Task { await activation.settled() }
            await Task.yield()
        }
        #expect(gone == nil)
        #expect(await waiter?.value == .denied(Denial(of: .first, by: .login, .ownerGone)))
    }
}
