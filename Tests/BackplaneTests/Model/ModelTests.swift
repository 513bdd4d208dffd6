import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

/// Tests of the runtime against a reference model of the rules, with random scripts.
///
/// Both play the same script, and the facts that can be observed must be equal. The scripts are the
/// same at every run, unless `BACKPLANE_SEED=…` sets the seed of the first script.
/// `BACKPLANE_SEQUENCES=1000000` plays more scripts.
struct ModelTests {
    @Test(.rule("B30", "B31", "B32", "B43", "B47", "B48", "B49", "B50", "B51", "B56", "B66", "B69", "B73", "B82"))
    func `the runtime and the reference model produce equal journals for random scripts`() async {
        let run = RandomRun(count: 20_000, countVariable: "BACKPLANE_SEQUENCES", seed: 1)
        // The scripts do not run on the main actor, because other tests need it meanwhile.
        if let failure = await ScriptStage().play(run) { Issue.record(Comment(rawValue: failure)) }
    }

    @Test(.rule("B33", "B49")) func `no activation waits for a board that cannot answer`() async {
        for seed in 0..<2_000 {
            await Task.yield()
            let hung = ReferenceModel.hungRuns(after: ScriptGenerator.script(seed: seed))
            #expect(hung.isEmpty, "A run of the script with seed \(seed) waits forever.")
        }
    }

    @Test(arguments: ReferenceModel.Fault.all)
    func `the random scripts detect each wrong rule`(fault: ReferenceModel.Fault) {
        let seed = (0..<20_000).first { seed in
            let script = ScriptGenerator.script(seed: seed)
            return ReferenceModel.journal(of: script, with: fault) != ReferenceModel.journal(of: script)
        }
        #expect(seed != nil)
    }
}

extension Fact {
    /// This fact with only the first board of a cycle.
    ///
    /// Several ways may lead around a cycle, and the rules do not say which of them a denial
    /// names.
    fileprivate var withoutPath: Fact {
        switch self {
        case .state(let handle, .denied(let denial), let ending):
            .state(handle: handle, .denied(denial.withoutPath), ending)
        case .settled(let handle, .denied(let denial)): .settled(handle: handle, .denied(denial.withoutPath))
        case .heardDenial(let flow, let denial, let motherboard):
            .heardDenial(flow: flow, denial.withoutPath, on: motherboard)
        default: self
        }
    }
}

extension Denial {
    fileprivate var withoutPath: Denial {
        switch reason {
        case .cycle(let boards): Denial(of: board, by: gate, .cycle(Array(boards.prefix(1))))
        case .gateDenied(let denial): Denial(of: board, by: gate, .gateDenied(denial.withoutPath))
        default: self
        }
    }
}

/// An actor that plays scripts until the model and the runtime differ.
private actor ScriptStage {
    func play(_ run: RandomRun) async -> String? {
        for index in 0..<run.count {
            await run.letOthersRun()
            let seed = run.seed &+ UInt64(index)
            let script = ScriptGenerator.script(seed: seed)
            guard await isFailure(script) else { continue }
            let smallest = await ScriptShrinker.shrink(script) { await isFailure($0) }
            let failure = Failure(
                seed: seed,
                script: smallest,
                expected: expected(of: smallest),
                actual: await actual(of: smallest)
            )
            return failure.description
        }
        return nil
    }

    private func isFailure(_ script: Script) async -> Bool {
        await expected(of: script) != actual(of: script)
    }

    private func expected(of script: Script) -> [Fact] {
        ReferenceModel.journal(of: script).map(\.withoutPath)
    }

    private func actual(of script: Script) async -> [Fact] {
        await ScriptPlayer.journal(of: script).map(\.withoutPath)
    }
}

/// A script that shows a difference, with both journals.
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
            The rules (-) and the runtime (+) differ at fact \(common + 1):
            \(facts.joined(separator: "\n"))
            """
        // The types of the cases are obvious, and shorter lines are easier to read.
        return text.replacing(/\b[A-Z]\w+\./, with: "")
    }
}
