import BackplaneConcurrency
import BackplaneTesting
import Observation
import TestSupport
import Testing

@testable import BackplaneFeatures

/// A23: failures that the user has not dismissed.
@MainActor @Suite(.timeLimit(.minutes(5))) struct FailureMemoryTests {
    /// A list with a private store, or with the given one.
    private func list(in store: RecordStore<String, Memo>?, _ items: @escaping () -> [String]) -> PagedLoader<Int, Memo>
    {
        PagedLoader(store: store) { _ in Page(items().map { Memo($0) }) }
    }

    @Test(.rule("A23"), arguments: [false, true])
    func `a refused insertion is still known after a reload, until it is dismissed`(isShared: Bool) async throws {
        let list = list(in: isShared ? RecordStore() : nil) { ["a"] }
        list.load()
        await list.settled()
        _ = await Task { try await list.insert(Memo("x")) { _ in throw Refused() } }.result
        list.reload()
        await list.settled()
        #expect(list.ids == ["a"])
        let failed = try #require(list.pending(of: "x").first)
        #expect(failed.status == .failed)
        #expect(list.failedIDs == ["x"])
        let isTold = Locked(false)
        withObservationTracking {
            _ = list.failedIDs
        } onChange: {
            isTold.withLock { $0 = true }
        }
        list.dismiss(failed.id, of: "x")
        #expect(isTold.withLock { $0 })
        #expect(list.pending(of: "x").isEmpty)
        #expect(list.failedIDs.isEmpty)
        #expect(isShared || list.store.existing("x") == nil, "A private store keeps nothing more of it.")
    }

    @Test(.rule("A23"))
    func `a refused edit of an item that leaves the list is still known after a reload`() async throws {
        var items = ["a", "b"]
        let list = list(in: nil) { items }
        list.load()
        await list.settled()
        let edit = Mutation<Memo>(.edit { $0.text += "!" }) { _ in throw Refused() }
        _ = await Task { try await list.mutate(edit, of: "b") }.result
        items = ["a"]
        list.reload()
        await list.settled()
        #expect(list.ids == ["a"])
        #expect(list.pending(of: "b").map(\.id) == [edit.id])
        #expect(list.failedIDs == ["b"])
    }

    @Test(.rule("A23")) func `an edit that is refused is found, even if its item has left the list`() async throws {
        let sends = LoadStub<IdempotencyKey, Void>()
        var items = ["a", "b"]
        let list = list(in: RecordStore()) { items }
        list.load()
        await list.settled()
        let edit = Mutation<Memo>(.edit { $0.text += "!" }) {
            try await sends.load($0)
        }
        try list.enqueue(edit, of: "b")
        await sends.requests(atLeast: 1)
        items = ["a"]
        list.reload()
        await list.settled()
        #expect(list.failedIDs.isEmpty)
        sends.fail(with: Refused())
        await waitUntil { list.pending(of: "b").map(\.status) == [.failed] }
        #expect(list.failedIDs == ["b"])
        list.store.reset()
        #expect(list.failedIDs.isEmpty)
    }
}
