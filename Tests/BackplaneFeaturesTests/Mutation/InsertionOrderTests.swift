import BackplaneTesting
import TestSupport
import Testing

@testable import BackplaneFeatures

/// Insertions into a list that are sent one after another.
@MainActor @Suite(.timeLimit(.minutes(5))) struct InsertionOrderTests {
    private let sends = LoadStub<IdempotencyKey, Memo?>()
    private let store = RecordStore<String, Memo>(identity: \.id, clock: ManualClock())

    private func showList() async -> PagedLoader<Int, Memo> {
        let list = PagedLoader<Int, Memo>(store: store, insertsInOrder: true) { _ in Page([Memo("a")]) }
        list.load()
        await list.settled()
        return list
    }

    /// Starts an insertion and returns when the memo is visible.
    private func insert(_ id: String, in list: PagedLoader<Int, Memo>) async -> Task<Void, any Error> {
        let task = Task { [sends] in
            try await list.insert(Memo(id), send: { key in try await sends.load(key) }, confirming: { $0 })
        }
        await Task {}.value
        return task
    }

    @Test(.rule("A18")) func `insertions show at once and are sent in order`() async throws {
        let list = await showList()
        let (first, second, third) = (
            await insert("x", in: list), await insert("y", in: list), await insert("z", in: list)
        )
        #expect(list.ids == ["z", "y", "x", "a"])
        await sends.requests(atLeast: 1)
        #expect(list.pending(of: "x").map(\.status) == [.sending])
        #expect(list.pending(of: "y").map(\.status) == [.queued])
        sends.succeed(with: Memo("1", "X"))
        try await first.value
        await sends.requests(atLeast: 2)
        #expect(list.pending(of: "z").map(\.status) == [.queued])
        sends.succeed(with: Memo("2", "Y"))
        try await second.value
        await sends.succeed(request: 3, with: Memo("3", "Z"))
        try await third.value
        #expect(list.ids == ["3", "2", "1", "a"])
        #expect(sends.ids.count == 3)
    }

    @Test(.rule("A4", "A18")) func `if an insertion is rejected, the next insertion is sent`() async throws {
        let list = await showList()
        let (refused, made) = (await insert("x", in: list), await insert("y", in: list))
        await sends.fail(request: 1, with: Refused())
        #expect(await failure(of: refused)?.code == .rejected)
        #expect(list.ids == ["y", "a"])
        await sends.succeed(request: 2, with: Memo("1", "Y"))
        try await made.value
        #expect(list.ids == ["1", "a"])
    }

    @Test(.rule("A5", "A18")) func `an insertion waits for the outcome of an earlier insertion`() async throws {
        let list = await showList()
        let (lost, waiting) = (await insert("x", in: list), await insert("y", in: list))
        await sends.fail(request: 1, with: NoAnswer())
        await waitUntil { list.pending(of: "x").map(\.status) == [.unconfirmed] }
        #expect(list.pending(of: "y").map(\.status) == [.queued])
        list.retryPending()
        await sends.requests(atLeast: 2)
        #expect(sends.ids[0] == sends.ids[1])
        sends.succeed(with: Memo("1", "X"))
        await sends.succeed(request: 3, with: Memo("2", "Y"))
        try await lost.value
        try await waiting.value
        #expect(list.ids == ["2", "1", "a"])
    }

    @Test(.rule("A11", "A18"))
    func `if an insertion merges with a loaded record, the next insertion is sent`() async throws {
        let list = await showList()
        let loaded = Loader(store: store) { Memo($0, "loaded") }
        loaded.load("1")
        await loaded.settled()
        let (first, second) = (await insert("x", in: list), await insert("y", in: list))
        await sends.succeed(request: 1, with: Memo("1", "X"))
        try await first.value
        await sends.succeed(request: 2, with: Memo("2", "Y"))
        try await second.value
        #expect(list.ids == ["2", "1", "a"])
    }

    @Test(.rule("A14", "A18")) func `after the session ends, a waiting insertion is not sent`() async {
        let list = await showList()
        let (open, waiting) = (await insert("x", in: list), await insert("y", in: list))
        await sends.requests(atLeast: 1)
        store.reset()
        #expect(await failure(of: open)?.code == .sessionEnded)
        #expect(await failure(of: waiting)?.code == .sessionEnded)
        await sends.cancellations(atLeast: 1)
        list.load()
        await list.settled()
        let next = await insert("y", in: list)
        await sends.requests(atLeast: 2)
        #expect(list.pending(of: "y").map(\.status) == [.sending], "Nothing is left to wait for.")
        sends.fail(with: Refused())
        _ = await next.result
        #expect(sends.ids.count == 2)
    }

    @Test(.rule("A18")) func `a waiting insertion is sent, even if its list and its store are released`() async {
        let sends = sends
        weak var gone: RecordStore<String, Memo>?
        do {
            let store = RecordStore<String, Memo>(identity: \.id)
            gone = store
            let list = PagedLoader<Int, Memo>(store: store, insertsInOrder: true) { _ in Page([]) }
            list.load()
            await list.settled()
            for id in ["x", "y"] {
                let insertion = await insert(id, in: list)
                insertion.cancel()
                _ = await insertion.result
            }
        }
        await sends.requests(atLeast: 1)
        while gone != nil, !Task.isCancelled { await Task.yield() }
        sends.succeed(with: Memo("1", "X"))
        await sends.succeed(request: 2, with: Memo("2", "Y"))
    }
}
