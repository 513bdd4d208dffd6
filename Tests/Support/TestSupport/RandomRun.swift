import Foundation

/// The size and the seed of a random test.
///
/// The seed comes from the environment, from the test, or is new in each run. `BACKPLANE_SEED=…`
/// replays the seed that a failure printed. `BACKPLANE_LINKS=1000000` runs more turns.
package struct RandomRun: CustomStringConvertible {
    package let seed: UInt64
    package let count: Int

    /// Creates a run of `count` turns, unless the environment sets another number.
    package init(count: Int, countVariable: String, seed: UInt64? = nil) {
        let environment = ProcessInfo.processInfo.environment
        self.seed = environment["BACKPLANE_SEED"].flatMap(UInt64.init) ?? seed ?? .random(in: .min ... .max)
        self.count = environment[countVariable].flatMap(Int.init) ?? count
    }

    /// Lets other tests use the thread.
    ///
    /// Call it in every turn. All tests share two threads, and a request needs a hundred hops
    /// before its timeout.
    package func letOthersRun() async { await Task.yield() }

    /// The setting that repeats this run.
    package var description: String { "replay with BACKPLANE_SEED=\(seed)" }
}
