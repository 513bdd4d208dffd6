import ShapesTestTools
import Testing

/// Random orders, touches and presentations of the app, in a host that forgives nothing.
///
/// `BACKPLANE_SEED=…` sets the seed of the first trace. `BACKPLANE_WINDOW_TRACES=1000000` plays
/// more traces.
@Suite(.timeLimit(.minutes(20))) @MainActor struct WindowTraceTests {
    @Test(.rule("V1", "V4", "V10", "V24", "V27", "V28", "V29"))
    func `in the end, the user sees the screens of the navigator, and each place has left once`() async {
        let run = RandomRun(count: 20_000, countVariable: "BACKPLANE_WINDOW_TRACES", seed: 1)
        for turn in 0..<run.count {
            let seed = run.seed &+ UInt64(turn)
            guard let failure = await WindowTrace(seed: seed).play() else { continue }
            Issue.record("\(failure)\nReplay with BACKPLANE_SEED=\(seed) BACKPLANE_WINDOW_TRACES=1.")
            return
        }
    }
}
