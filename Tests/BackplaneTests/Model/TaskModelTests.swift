import Backplane
import TestSupport
import Testing

/// Tests of task boards against a model of their rules (B36, B55, B76), with random scripts.
///
/// The scripts are the same at every run, unless `BACKPLANE_SEED=…` sets the seed of the first
/// script. `BACKPLANE_SEQUENCES=1000000` plays more scripts.
struct TaskModelTests {
    @Test(.rule("B36", "B55", "B76"))
    func `the runtime and the task model show equal views for random scripts`() async {
        let run = RandomRun(count: 5_000, countVariable: "BACKPLANE_SEQUENCES", seed: 1)
        // The scripts do not run on the main actor, because other tests need it meanwhile.
        if let failure = await TaskStage().play(run) { Issue.record(Comment(rawValue: failure)) }
    }

    @Test(.rule("B36", "B55", "B76"), arguments: TaskModel.Fault.allCases)
    func `the random scripts detect each wrong rule of task boards`(fault: TaskModel.Fault) {
        let seed = (UInt64(0)..<2_000).first { seed in
            let script = TaskScript(seed: seed)
            var right = TaskModel(isGated: script.isGated)
            var wrong = TaskModel(isGated: script.isGated, fault: fault)
            return script.steps.contains { step in
                right.take(step)
                wrong.take(step)
                return right.view != wrong.view
            }
        }
        #expect(seed != nil)
    }
}

private actor TaskStage {
    func play(_ run: RandomRun) async -> String? {
        for turn in 0..<run.count {
            if turn % 32 == 0 { await run.letOthersRun() }
            let seed = run.seed &+ UInt64(turn)
            let script = TaskScript(seed: seed)
            guard await play(script) != nil else { continue }
            return "\(await smallestFailure(of: script))\nReplay with BACKPLANE_SEED=\(seed) BACKPLANE_SEQUENCES=1."
        }
        return nil
    }

    /// Removes the steps that the failure does not need, the last ones first.
    private func smallestFailure(of script: TaskScript) async -> String {
        var smallest = script
        for index in script.steps.indices.dropFirst().reversed() {
            var smaller = smallest
            smaller.steps.remove(at: index)
            if await play(smaller) != nil { smallest = smaller }
        }
        return await play(smallest) ?? "The failure does not appear again."
    }

    private func play(_ script: TaskScript) async -> String? {
        let motherboard = Motherboard(owner: self)
        let player = TaskPlayer(on: motherboard, isGated: script.isGated)
        var model = TaskModel(isGated: script.isGated)
        var failure: String?
        for (index, step) in script.steps.enumerated() where failure == nil {
            await player.take(step, isolation: self)
            model.take(step)
            guard player.view != model.view else { continue }
            failure = """
                \(script.isGated ? "with a gate" : "without a gate")
                \(script.steps.prefix(index + 1).enumerated().map { "\($0): \($1)" }.joined(separator: "\n"))
                the rules: \(model.view)
                observed:  \(player.view)
                """
        }
        player.end()
        return failure
    }
}
