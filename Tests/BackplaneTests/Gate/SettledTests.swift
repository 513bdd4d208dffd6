import Backplane
import TestSupport
import Testing

/// The end of a wait can be awaited.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct SettledTests {
    let motherboard = Motherboard.onMain()
    let logins = Asked<Doorkeeper>()
    let terms = Asked<Doorkeeper>()

    init() {
        motherboard.probe(.login, notedIn: logins)
        motherboard.probe(.terms, notedIn: terms)
        motherboard.probe(.first)
        motherboard.gate(.first, by: .login) { $0 ? .open : .closed }
    }

    /// Starts to wait, and returns once it does.
    private func wait(for activation: Activation<Numbers>) async -> Task<ActivationState, Never> {
        let waiter = Task { await activation.settled() }
        for _ in 0..<5 { await Task.yield() }
        return waiter
    }

    @Test(.rule("B51")) func `An activation that does not wait has settled`() async {
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

    @Test(.rule("B51")) func `It settles when the gate opens`() async {
        let activation = motherboard.activate(.first, with: 1)
        let waiter = await wait(for: activation)
        logins.boards[0].send(true)
        #expect(await waiter.value == .active)
    }

    @Test(.rule("B51")) func `It settles behind the last gate, not the first`() async {
        motherboard.gate(.first, by: .terms) { $0 ? .open : .closed }
        let activation = motherboard.activate(.first, with: 1)
        var isSettled = false
        let waiter = Task {
            defer { isSettled = true }
            return await activation.settled()
        }
        await Task.yield()
        logins.boards[0].send(true)
        for _ in 0..<5 { await Task.yield() }
        #expect(!isSettled)
        terms.boards[0].send(true)
        #expect(await waiter.value == .active)
    }

    @Test(.rule("B51")) func `It settles when the gate denies`() async {
        let activation = motherboard.activate(.first, with: 1)
        let waiter = await wait(for: activation)
        logins.boards[0].complete()
        #expect(await waiter.value == .denied(Denial(of: .first, by: .login, .gateDone)))
    }

    @Test(.rule("B51")) func `It settles when it is given up`() async {
        let activation = motherboard.activate(.first, with: 1)
        let waiter = await wait(for: activation)
        activation.complete()
        #expect(await waiter.value == .completed)
    }

    @Test(.rule("B51")) func `It settles when the motherboard completes`() async {
        let activation = motherboard.activate(.first, with: 1)
        let waiter = await wait(for: activation)
        motherboard.complete()
        #expect(await waiter.value == .denied(Denial(of: .first, by: .login, .ownerGone)))
    }

    @Test(.rule("B51")) func `It settles when the motherboard is released`() async {
        var motherboard: Motherboard? = Motherboard()
        motherboard?.probe(.login)
        motherboard?.probe(.first)
        motherboard?.gate(.first, by: .login) { _ in .open }
        let activation = motherboard?.activate(.first, with: 1)
        let waiter = Task { await activation?.settled() }
        await Task.yield()
        motherboard = nil
        #expect(await waiter.value == .denied(Denial(of: .first, by: .login, .ownerGone)))
    }

    @Test(.rule("B51")) func `It says what the board has become where that is over when the waiter runs`() async {
        let activation = motherboard.activate(.first, with: 1)
        let waiter = await wait(for: activation)
        logins.boards[0].send(true)
        activation.complete()
        #expect(await waiter.value == .completed)
    }

    @Test(.rule("B51")) func `A waiter that is cancelled hears that it waits, and the activation goes on waiting`()
        async
    {
        let activation = motherboard.activate(.first, with: 1)
        let cancelled = await wait(for: activation)
        let other = await wait(for: activation)
        cancelled.cancel()
        #expect(await cancelled.value == .waiting)
        #expect(activation.state == .waiting)
        logins.boards[0].send(true)
        #expect(await other.value == .active)
    }

    @Test(.rule("B51")) func `A caller that was cancelled before does not wait`() async {
        let activation = motherboard.activate(.first, with: 1)
        let waiter = Task { await activation.settled() }
        waiter.cancel()
        #expect(await waiter.value == .waiting)
    }

    @Test(.rule("B51")) func `All waiters on all handles hear of it`() async {
        let activation = motherboard.activate(.first, with: 1)
        let copy = activation
        let waiters = [await wait(for: activation), await wait(for: copy), await wait(for: activation)]
        logins.boards[0].send(true)
        for waiter in waiters { #expect(await waiter.value == .active) }
    }

    @Test(.rule("B51", "B33")) func `Waiting for it keeps no motherboard alive`() async {
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
