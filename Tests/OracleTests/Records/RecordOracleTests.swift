import Testing

@Suite(.timeLimit(.minutes(60)))
struct RecordOracleTests {
    @Test func `with loads, changes, lists and users in any order, all rules hold`() async {
        await TraceRecord.run { RecordTrace.run(seed: $0) }
    }
}
