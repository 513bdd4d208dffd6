import Foundation
import TestSupport
import Testing

@testable import BackplaneFeatures

/// A13 over random traces, and the tests of that test.
///
/// The traces are the same at every run, unless `BACKPLANE_SEED=…` names the seed of the first one.
/// `BACKPLANE_TRACES=1000000` looks further.
struct MutationPropertyTests {
    @Test(.rule("A13"))
    func `a failed mutation is never visible, any other exactly once, and at rest visible is the server's`()
        async
    {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["BACKPLANE_SEED"].flatMap(UInt64.init) ?? 1
        let count = environment["BACKPLANE_TRACES"].flatMap(Int.init) ?? 20_000
        if let failure = await firstFailure(from: first, count: count) {
            Issue.record(Comment(rawValue: failure))
        }
    }

    @concurrent
    private func firstFailure(from first: UInt64, count: Int) async -> String? {
        for index in 0..<count {
            // Other tests need the thread from time to time, or their time-outs pass.
            if index % 10 == 9 { await Task.yield() }
            let seed = first &+ UInt64(index)
            guard play(seed, keepsJournal: false) != nil else { continue }
            let journal = play(seed, keepsJournal: true) ?? "It does not fail a second time."
            return "Replay with BACKPLANE_SEED=\(seed) BACKPLANE_TRACES=1.\n\(journal)"
        }
        return nil
    }

    private func play(_ seed: UInt64, keepsJournal: Bool) -> String? {
        switch seed % 3 {
        case 0: play(MapShape.self, seed, keepsJournal)
        case 1: play(ScalarShape.self, seed, keepsJournal)
        default: play(CounterShape.self, seed, keepsJournal)
        }
    }

    private func play<Shape: TraceShape>(
        _ shape: Shape.Type,
        _ seed: UInt64,
        _ keepsJournal: Bool
    ) -> String? {
        var trace = MutationTrace<Shape>(seed: seed, keepsJournal: keepsJournal)
        return trace.play(steps: 50)
    }
}
