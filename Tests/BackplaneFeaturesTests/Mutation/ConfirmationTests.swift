import BackplaneFeatures
import Testing

/// Tests of effects outside a store, after the server has confirmed a change.
@Suite(.timeLimit(.minutes(1))) @MainActor struct ConfirmationTests {
    private struct Item: Identifiable {
        let id: String
        var isDone = false
    }

    private struct Finish: RecordChange {
        let item: String

        var intent: Intent<[Item]> { .update(item) { $0.isDone = true } }
    }

    private struct Refusal: DefiniteRejection {}

    /// Returns the loaded list 7, whose changes have this outcome.
    private func load(
        sending outcome: Result<Void, Refusal>,
        onConfirmation report: @escaping (Int) async -> Void
    ) async -> Loader<Int, [Item]> {
        let sender = ChangeSender<Int, [Item]> { (_: Finish, _: Int, _: IdempotencyKey) in try outcome.get() }
        let store = RecordStore<Int, [Item]>(sending: sender.onConfirmation(report))
        let items = Loader<Int, [Item]>(store: store) { _ in [Item(id: "a"), Item(id: "b")] }
        items.load(7)
        await items.settled()
        return items
    }

    @Test func `each confirmed change is reported once, with the ID of its record`() async throws {
        var reports: [Int] = []
        let items = await load(sending: .success(())) { reports.append($0) }
        try await items.mutate(Finish(item: "a"))
        #expect(reports == [7])
        try await items.mutate(Finish(item: "b"))
        #expect(reports == [7, 7])
    }

    @Test func `a refused change is not reported`() async {
        var reports: [Int] = []
        let items = await load(sending: .failure(Refusal())) { reports.append($0) }
        let error = await #expect(throws: FeatureError.self) { try await items.mutate(Finish(item: "a")) }
        #expect(error?.code == .rejected)
        #expect(items.pending(of: "a").map(\.status) == [.failed])
        #expect(reports.isEmpty)
    }

    @Test func `a change of a missing element is not sent or reported`() async {
        var reports: [Int] = []
        let items = await load(sending: .success(())) { reports.append($0) }
        let error = await #expect(throws: FeatureError.self) { try await items.mutate(Finish(item: "c")) }
        #expect(error?.code == .targetMissing)
        #expect(reports.isEmpty)
    }
}
