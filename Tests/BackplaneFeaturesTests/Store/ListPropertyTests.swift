import Foundation
import TestSupport
import Testing

/// A10, A11 and A13 of lists over random traces of loads, mutations and responses in any order.
///
/// `BACKPLANE_SEED=…` sets the seed of the first trace, and `BACKPLANE_LIST_TRACES=…` the number
/// of traces.
@TraceActor struct ListPropertyTests {
    @Test(.rule("A13"))
    func `a list shows every item once, no failed mutation, and at the end the items of the server`() async {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["BACKPLANE_SEED"].flatMap(UInt64.init) ?? 1
        let count = min(environment["BACKPLANE_LIST_TRACES"].flatMap(Int.init) ?? 5, 20_000)
        for seed in first..<first + UInt64(count) {
            guard let problem = await ListTrace(seed: seed).play(steps: 60) else { continue }
            Issue.record("Replay with BACKPLANE_SEED=\(seed) BACKPLANE_LIST_TRACES=1.\n\(problem)")
            return
        }
    }
}
