import ShapesTestTools
import Testing

/// Random orders and touches in a window of SwiftUI that forgives nothing.
///
/// The stand-in draws slowly, so there are fewer traces than for UIKit.
/// `BACKPLANE_SEED=…` sets the seed of the first trace. `BACKPLANE_WINDOW_TRACES=1000000` plays
/// more traces.
@Suite(.timeLimit(.minutes(20))) @MainActor struct ViewTraceTests {
    @Test(.rule("V1", "V4", "V5", "V6", "V10", "V19", "V22", "V23"))
    func `in the end, the user sees the screens of the navigator, and each place has left once`() async {
        let run = RandomRun(count: 5_000, countVariable: "BACKPLANE_WINDOW_TRACES", seed: 1)
        for turn in 0..<run.count {
            let seed = run.seed &+ UInt64(turn)
            guard let failure = await ViewTrace(seed: seed).play() else { continue }
            Issue.record("\(failure)\nReplay with BACKPLANE_SEED=\(seed) BACKPLANE_WINDOW_TRACES=1.")
            return
        }
    }
}
