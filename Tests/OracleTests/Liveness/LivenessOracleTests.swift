import BackplaneTesting
import Testing

@Suite(.timeLimit(.minutes(60)))
struct LivenessOracleTests {
    @Test func `no section waits for nothing, and no action does nothing`() async {
        let run = RandomRun(count: 20_000, countVariable: "BACKPLANE_ORACLE_TRACES")
        let findings = await SeededExecution.onThread { LivenessOracle.findings(run).map(\.report) }
        for finding in findings { Issue.record("\(finding)") }
    }
}
