import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct LivenessOracleTests {
    private static let run = RandomRun(count: 20_000, countVariable: "BACKPLANE_ORACLE_TRACES")
    private static let parts = 8

    /// In parts, because a run without news is ended after some minutes.
    @Test(arguments: 0..<parts)
    func `each section that waits has a reason, and each action has an effect`(_ part: Int) async {
        let seeds = stride(from: part, to: Self.run.count, by: Self.parts).map { Self.run.seed &+ UInt64($0) }
        let reports = await SeededExecution.onThread { LivenessOracle.run(seeds) }
        for report in reports { Issue.record("\(report)") }
    }

    /// Random traces that have found a fault of a list or of a record.
    @Test(.rule("A19", "A21"), arguments: [14_055_974_260_757_821_279, 5_460_416_710_952_955_870, 33_008_365])
    func `a trace that found a fault earlier finds no fault now`(seed: UInt64) async {
        let fault = await SeededExecution.onThread { LivenessOracle.run(LivenessPlan(seed: seed)).fault?.text }
        #expect(fault == nil)
    }

    @Test(arguments: PlantedFault.allCases)
    func `a planted fault is found, and nothing is found without it`(_ fault: PlantedFault) async {
        let seed = await SeededExecution.onThread {
            (0..<UInt64(5000)).first { seed in
                let plan = LivenessPlan(seed: seed)
                return LivenessOracle.run(plan, planted: fault).fault?.text == fault.finding
                    && LivenessOracle.run(plan).fault == nil
            }
        }
        #expect(seed != nil, "No trace shows that \(fault.finding).")
    }
}
