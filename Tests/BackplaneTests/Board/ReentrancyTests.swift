import Backplane
import BackplaneTesting
import TestSupport
import Testing

/// Handlers, factories and `deinit`s that call back into every entry point.
///
/// The tests claim only that nothing traps or hangs and that everything is released.
/// `BACKPLANE_REENTRANCY=…` sets the number of runs. `BACKPLANE_SEED=…` sets the seed of the first
/// run, which is printed.
@MainActor @Suite(.serialized, .timeLimit(.minutes(10)))
struct ReentrancyTests {
    @Test(.rule("B60"))
    func `Random calls from handlers, factories and deinits never trap, and everything is released`() async {
        let run = RandomRun(count: 2_000, countVariable: "BACKPLANE_REENTRANCY")
        print("Random calls: \(run)")
        for index in 0..<run.count {
            await run.letOthersRun()
            let seed = run.seed &+ UInt64(index)
            let left = await Self.play(seed: seed)
            #expect(left.isEmpty, "Some objects are not released. Replay with BACKPLANE_SEED=\(seed)")
            if !left.isEmpty { return }
        }
    }

    /// Plays one run and returns the counts of the objects that outlive it.
    private static func play(seed: UInt64) async -> [String: Int] {
        let tally = RandomCaller.Tally()
        weak var root: Motherboard?
        do {
            let caller = RandomCaller(seed: seed, tally: tally)
            caller.build(on: Motherboard(turnBudget: 20_000))
            root = caller.root
            caller.awaitResult = { [weak caller] motherboard, parcel in
                let waiter = Task {
                    _ = try? await motherboard.result(of: BoardID<Pulse>("pulse 1"), with: parcel)
                    caller?.call()
                }
                caller?.waiters.append(waiter)
            }
            for _ in 0..<4 {
                caller.fuel = 30
                caller.call()
                caller.call()
                await Task.yield()
            }
            if caller.chance(50) {
                caller.fuel = 30
                caller.root?.complete()
            }
            caller.fuel = 20
            caller.drop()
            caller.fuel = 0
            caller.drop()
        }
        // A cancelled task ends some time later.
        let deadline = ContinuousClock.now + .seconds(20)
        while !tally.alive.isEmpty || root != nil, ContinuousClock.now < deadline { await Task.yield() }
        return root == nil ? tally.alive : tally.alive.merging(["motherboard": 1]) { one, _ in one }
    }
}
