import Foundation
import TestSupport
import Testing

/// A10, A11 and A13 of lists over random traces, each with loads, mutations and answers in any order.
///
/// `BACKPLANE_SEED=…` names the seed of the first trace, and `BACKPLANE_TRACES=…` how many there are.
@TraceActor struct ListPropertyTests {
    @Test(.rule("A13"))
    func `what a list has is shown once, what has failed never, and at rest it shows what the server has`()
        async
    {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["BACKPLANE_SEED"].flatMap(UInt64.init) ?? 1
        let count = min(environment["BACKPLANE_TRACES"].flatMap(Int.init) ?? 5, 20_000)
        for seed in first..<first + UInt64(count) {
            guard let problem = await ListTrace(seed: seed).play(steps: 60) else { continue }
            Issue.record("Replay with BACKPLANE_SEED=\(seed) BACKPLANE_TRACES=1.\n\(problem)")
            return
        }
    }
}
