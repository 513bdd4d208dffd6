import BackplaneStorage
import BackplaneTesting
import Foundation
import TestSupport
import Testing

/// Changes in memory and in an outbox, under the same random acts.
@Suite(.timeLimit(.minutes(60))) struct ChangeTraceTests {
    private static let run = RandomRun(count: 2_000, countVariable: "BACKPLANE_CHANGE_TRACES", seed: 1)
    /// The number of traces in each part, because a run without news is ended after some minutes.
    private static let part = 2_000

    @Test(.rule("U2", "U3", "U4"), arguments: stride(from: 0, to: run.count, by: part).map { $0 })
    func `memory and an outbox show the same, in the same order, with the same outcomes`(_ first: Int) async throws {
        // No trace refreshes a store: an outbox then resumes in a task of its own, which a reply
        // can overtake.
        let clock = ManualClock()
        let outbox = try Outbox(
            file: nil,
            kinds: [.words],
            clock: clock,
            timeOfDay: { Date(timeIntervalSince1970: 1_000_000 + clock.now.offset / .seconds(1)) },
            jitter: { $0 }
        )
        for number in first..<min(first + Self.part, Self.run.count) {
            let seed = Self.run.seed &+ UInt64(number)
            guard let log = try await ChangeTrace.run(seed: seed, in: outbox, clock) else { continue }
            Issue.record("The queues differ; replay with BACKPLANE_SEED=\(seed) BACKPLANE_CHANGE_TRACES=1:\n\(log)")
            return
        }
    }
}
