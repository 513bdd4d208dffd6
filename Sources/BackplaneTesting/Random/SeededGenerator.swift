/// Random numbers that can be had again: SplitMix64 (Steele, Lea and Flood, 2014).
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// The numbers that belong to `seed`.
    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number below `bound`; quicker than `Int.random`, and as good for a few numbers.
    package mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: (next() >> 33) % UInt64(bound))
    }

    /// Returns true in so many of a hundred cases.
    package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}
