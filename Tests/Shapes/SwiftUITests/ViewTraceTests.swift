import ShapesTestTools
import Testing

/// Random orders and touches in a window of SwiftUI that forgives nothing.
///
/// The stand-in draws slowly, so there are fewer traces than for UIKit.
/// `BACKPLANE_SEED=…` sets the seed of the first trace. `BACKPLANE_WINDOW_TRACES=1000000` plays
/// more traces.
@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct ViewTraceTests {
    private nonisolated static let run = RandomRun(count: 5_000, countVariable: "BACKPLANE_WINDOW_TRACES", seed: 1)
    /// The number of traces in each part, because a run without news is ended after some minutes.
    private nonisolated static let part = 500

    @Test(
        .rule("V1", "V4", "V5", "V6", "V10", "V19", "V22", "V23"),
        arguments: stride(from: 0, to: run.count, by: part).map { $0 }
    )
    func `in the end, the user sees the screens of the navigator, and each place has left once`(first: Int) async {
        for number in first..<min(first + Self.part, Self.run.count) {
            let seed = Self.run.seed &+ UInt64(number)
            guard let failure = await ViewTrace(seed: seed).play() else { continue }
            Issue.record("\(failure)\nReplay with BACKPLANE_SEED=\(seed) BACKPLANE_WINDOW_TRACES=1.")
            return
        }
    }
}
