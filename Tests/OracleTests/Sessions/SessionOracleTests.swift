import Testing

@Suite(.timeLimit(.minutes(60)))
struct SessionOracleTests {
    @Test func `with users, refreshes, vaults and processes in any order, all rules hold`() async {
        await TraceRecord.run { SessionTrace.run(seed: $0) }
    }
}
