import Foundation
import TestSupport
import Testing

@testable import BackplaneFeatures

/// A13 over random traces.
///
/// The traces are the same in every run, unless `BACKPLANE_SEED=…` sets the seed of the first
/// trace. `BACKPLANE_MUTATIONS=1000000` runs more traces.
struct MutationPropertyTests {
    @Test(.rule("A13"))
    func `failed mutations are never visible, others are visible once, and the final value is the server's`() async {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["BACKPLANE_SEED"].flatMap(UInt64.init) ?? 1
        let count = environment["BACKPLANE_MUTATIONS"].flatMap(Int.init) ?? 20_000
        if let failure = await firstFailure(from: first, count: count) {
            Issue.record(Comment(rawValue: failure))
        }
    }

    @concurrent
    private func firstFailure(from first: UInt64, count: Int) async -> String? {
        for index in 0..<count {
            // Other tests need the thread from time to time to stay within their time limits.
            if index % 10 == 9 { await Task.yield() }
            let seed = first &+ UInt64(index)
            guard play(seed, keepsJournal: false) != nil else { continue }
            let journal = play(seed, keepsJournal: true) ?? "The trace did not fail again."
            return "Replay with BACKPLANE_SEED=\(seed) BACKPLANE_MUTATIONS=1.\n\(journal)"
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
