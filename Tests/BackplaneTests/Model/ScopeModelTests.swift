import Backplane
import BackplaneTesting
import TestSupport
import Testing

/// Tests of scopes against a model of their rules (B56), with random scripts.
///
/// The scripts are the same at every run, unless `BACKPLANE_SEED=…` sets the seed of the first
/// script. `BACKPLANE_SEQUENCES=1000000` plays more scripts.
struct ScopeModelTests {
    @Test func `the runtime and the scope model show equal views for random scripts`() async {
        let run = RandomRun(count: 20_000, countVariable: "BACKPLANE_SEQUENCES", seed: 1)
        // The scripts do not run on the main actor, because other tests need it meanwhile.
        if let failure = await ScopeStage().play(run) { Issue.record(Comment(rawValue: failure)) }
    }

    @Test(arguments: [
        ScopeModel.Fault.earlierUser, .lostEntrant, .aliveAfterCompletion, .wrongOrder,
    ])
    func `the random scripts detect each wrong rule of scopes`(fault: ScopeModel.Fault) {
        let seed = (UInt64(0)..<2_000).first { seed in
            let script = ScopeStep.script(seed: seed)
            var (right, wrong) = (ScopeModel(), ScopeModel(fault: fault))
            return script.contains { step in
                right.take(step)
                wrong.take(step)
                return right.view != wrong.view
            }
        }
        #expect(seed != nil)
    }
}

private actor ScopeStage {
    func play(_ run: RandomRun) async -> String? {
        for turn in 0..<run.count {
            if turn % 32 == 0 { await run.letOthersRun() }
            let seed = run.seed &+ UInt64(turn)
            if let failure = play(ScopeStep.script(seed: seed)) {
                return "\(failure)\nReplay with BACKPLANE_SEED=\(seed) BACKPLANE_SEQUENCES=1."
            }
        }
        return nil
    }

    private func play(_ script: [ScopeStep]) -> String? {
        let motherboard = Motherboard(owner: self)
        let player = ScopePlayer(on: motherboard)
        var model = ScopeModel()
        for (index, step) in script.enumerated() {
            player.take(step)
            model.take(step)
            guard player.view == model.view else {
                return """
                    \(script.prefix(index + 1).enumerated().map { "\($0): \($1)" }.joined(separator: "\n"))
                    the rules: \(model.view)
                    observed:  \(player.view)
                    """
            }
        }
        motherboard.complete()
        return nil
    }
}
