import Backplane
import Testing

/// The runtime against a reference model of the rules B1–B34, by random scripts.
///
/// The scripts are the same at every run, unless `BACKPLANE_SEED=…` names the seed of the first one.
/// `BACKPLANE_SEQUENCES=1000000` looks further.
struct ModelTests {
    @Test func `B1–B34: whatever boards do, what can be observed is what the rules say`() async {
        let run = RandomRun(count: 20_000, countVariable: "BACKPLANE_SEQUENCES", seed: 1)
        // Not on the main actor, which other tests need in the meantime.
        if let failure = await ScriptStage().play(run) { Issue.record(Comment(rawValue: failure)) }
    }

    @Test func `the scripts lead to everything that can happen`() {
        var seen: Set<String> = []
        for seed in 0..<1_000 {
            for fact in ReferenceModel.journal(of: ScriptGenerator.script(seed: UInt64(seed))) {
                seen.insert(fact.sort)
            }
        }
        let endings = ["done", "cancelled", "failed"]
        let reasons: [Denial.Reason] = [
            .closed, .gateDone, .gateCancelled, .gateFailed, .gateSuperseded, .noSuchGate, .ownerGone,
        ]
        let missing = Set(
            ["made", "activated", "told", "heard", "heardAll", "heardAction", "missed", "alive", "rootIsGone"]
                + endings.flatMap { ["heardEnding \($0)", "completed \($0)"] }
                + ["waiting", "active", "superseded", "noSuchBoard", "ownerGone"] + reasons.map { "\($0)" }
                + ["delivered(1)", "delivered(2)", "answer notLive", "answer noSuchBoard", "answer ownerGone"]
                + Fact.kinds.map(\.description)
        ).subtracting(seen)
        #expect(missing.isEmpty)
    }
}

extension Fact {
    /// What sort of thing happened, whoever it happened to.
    fileprivate var sort: String {
        switch self {
        case .heardEnding(_, let ending, _): "heardEnding \(ending)"
        case .state(_, .denied(let denial), _): "\(denial.reason)"
        case .state(_, .completed, let ending?): "completed \(ending)"
        case .state(_, let state, _): "\(state)"
        case .answer(.delivered(let count)): "delivered(\(count))"
        case .answer(let answer): "answer \(answer)"
        case .event(let kind, _): kind.description
        default: String("\(self)".prefix { $0 != "(" })
        }
    }
}

/// Plays scripts until rules and runtime part, and says where.
private actor ScriptStage {
    func play(_ run: RandomRun) async -> String? {
        for index in 0..<run.count {
            await run.letOthersRun(index)
            let seed = run.seed &+ UInt64(index)
            let script = ScriptGenerator.script(seed: seed)
            guard isFailure(script) else { continue }
            let smallest = ScriptShrinker.shrink(script) { isFailure($0) }
            let failure = Failure(
                seed: seed,
                script: smallest,
                expected: ReferenceModel.journal(of: smallest),
                actual: ScriptPlayer.journal(of: smallest)
            )
            return failure.description
        }
        return nil
    }

    private func isFailure(_ script: Script) -> Bool {
        ReferenceModel.journal(of: script) != ScriptPlayer.journal(of: script)
    }
}

/// The script that shows it, and where the journals part.
private struct Failure: CustomStringConvertible {
    let seed: UInt64
    let script: Script
    let expected: [Fact]
    let actual: [Fact]

    var description: String {
        let common = zip(expected, actual).prefix { $0 == $1 }.count
        let facts =
            expected[..<common].suffix(20).map { "  \($0)" } + expected[common...].prefix(5).map { "- \($0)" }
            + actual[common...].prefix(5).map { "+ \($0)" }
        let text = """
            Replay with BACKPLANE_SEED=\(seed) BACKPLANE_SEQUENCES=1.
            \(script)
            The rules (-) and the runtime (+) part at fact \(common + 1):
            \(facts.joined(separator: "\n"))
            """
        // Which types the cases are of is plain; shorter lines are read more easily.
        return text.replacing(/\b[A-Z]\w+\./, with: "")
    }
}
