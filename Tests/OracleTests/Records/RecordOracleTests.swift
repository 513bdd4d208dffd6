import Testing

@Suite(.timeLimit(.minutes(60)))
struct RecordOracleTests {
    @Test func `loads, changes, lists and users in any order keep to the rules`() async {
        await TraceRecord.run { RecordTrace.run(seed: $0) }
    }
}
