import Backplane
import BackplaneTesting
import TestSupport
import Testing

private enum Counter: BoardContract {
    typealias Input = Int
    typealias Output = Int
    enum Command { case add(Int) }
}

extension BoardID<Counter> {
    fileprivate static var counter: Self { "counter" }
}

private final class CounterBoard: Board {
    let slot: Slot<Counter>
    var total = 0

    init(slot: Slot<Counter>) {
        self.slot = slot
    }

    func activate(with input: Int) {
        total = input
        task { await self.announce() }
    }

    func receive(_ command: Counter.Command) {
        if case .add(let amount) = command { total += amount }
        send(total)
    }

    private func announce() async {
        await Task.yield()
        send(total)
    }
}

/// An actor per window, as on a server.
private actor Window {
    private var motherboard: Motherboard?
    private var seen: [Int] = []
    private var waiters: [CheckedContinuation<Void, Never>] = []

    func start(with input: Int) -> ActivationState {
        let motherboard = Motherboard()
        motherboard.register(.counter) { slot in CounterBoard(slot: slot) }
        motherboard.registerFlow(from: .counter) { [unowned self] output, _ in
            assumeIsolated { $0.note(output) }
        }
        self.motherboard = motherboard
        return motherboard.activate(.counter, with: input).state
    }

    private func note(_ output: Int) {
        seen.append(output)
        for waiter in waiters { waiter.resume() }
        waiters = []
    }

    func add(_ amount: Int) -> CommandResult? {
        motherboard?.send(.add(amount), to: .counter)
    }

    func outputs(atLeast count: Int) async -> [Int] {
        while seen.count < count { await withCheckedContinuation { waiters.append($0) } }
        return seen
    }
}

struct OnActorTests {
    @Test(.rule("B1")) func `a motherboard and its boards live on the actor that created them`() async {
        let window = Window()
        #expect(await window.start(with: 3) == .active)
        #expect(await window.outputs(atLeast: 1) == [3])
        #expect(await window.add(4) == .delivered(1))
        #expect(await window.outputs(atLeast: 2) == [3, 7])
    }
}
