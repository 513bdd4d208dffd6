import BackplaneTesting
import Testing

@Suite(.timeLimit(.minutes(60)))
struct LivenessOracleTests {
    @Test func `no section waits for nothing, and no action does nothing`() async {
        let run = RandomRun(count: 20_000, countVariable: "BACKPLANE_ORACLE_TRACES")
        let (reports, known) = await SeededExecution.onThread { LivenessOracle.run(run) }
        for report in reports { Issue.record("\(report)") }
        withKnownIssue(isIntermittent: true) {
            for (fault, count) in known { Issue.record("\(fault): \(count) of \(run.count) traces") }
        }
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
