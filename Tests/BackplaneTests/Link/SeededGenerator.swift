import Foundation

/// Random numbers that can be had again: SplitMix64 (Steele, Lea and Flood, 2014).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &self) < percent
    }
}

/// How much a random test does, and from which seed: a new one each run unless it is told or always begins with the same.
///
/// `BACKPLANE_SEED=…` replays the seed that a failure printed, `BACKPLANE_LINKS=1000000` looks further.
struct RandomRun: CustomStringConvertible {
    let seed: UInt64
    let count: Int

    init(count: Int, countVariable: String, seed: UInt64? = nil) {
        let environment = ProcessInfo.processInfo.environment
        self.seed = environment["BACKPLANE_SEED"].flatMap(UInt64.init) ?? seed ?? .random(in: .min ... .max)
        self.count = environment[countVariable].flatMap(Int.init) ?? count
    }

    /// Lets other tests use the thread.
    ///
    /// Call it at every turn: two threads serve all tests, and a request needs a hundred hops within its time-out.
    func letOthersRun() async { await Task.yield() }

    var description: String { "replay with BACKPLANE_SEED=\(seed)" }
}
