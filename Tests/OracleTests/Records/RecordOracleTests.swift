import Testing

@Suite(.timeLimit(.minutes(60)))
struct RecordOracleTests {
    @Test func `loads, changes, lists and users in any order keep all rules`() async {
        await TraceRecord.run { RecordTrace.run(seed: $0) }
    }
}
