internal import Foundation

/// How much a random test does, and from which seed: a new one each run unless it is told or always begins with the same.
///
/// `BACKPLANE_SEED=…` replays the seed that a failure printed, `BACKPLANE_LINKS=1000000` looks further.
package struct RandomRun: CustomStringConvertible {
    package let seed: UInt64
    package let count: Int

    /// A run of `count` turns, unless the environment says otherwise.
    package init(count: Int, countVariable: String, seed: UInt64? = nil) {
        let environment = ProcessInfo.processInfo.environment
        self.seed = environment["BACKPLANE_SEED"].flatMap(UInt64.init) ?? seed ?? .random(in: .min ... .max)
        self.count = environment[countVariable].flatMap(Int.init) ?? count
    }

    /// Lets other tests use the thread.
    ///
    /// Call it at every turn: two threads serve all tests, and a request needs a hundred hops within its time-out.
    package func letOthersRun() async { await Task.yield() }

    /// How to do the same again.
    package var description: String { "replay with BACKPLANE_SEED=\(seed)" }
}
