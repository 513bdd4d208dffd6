import Testing

@Suite(.timeLimit(.minutes(60)))
struct SessionOracleTests {
    @Test func `users, refreshes, vaults and processes in any order keep all rules`() async {
        await TraceRecord.run { SessionTrace.run(seed: $0) }
    }
}
