import BackplaneTesting
import TestSupport
import Testing

@testable import BackplaneFeatures

@MainActor @Suite(.timeLimit(.minutes(5))) struct PagedLoaderTests {
    @Test(.rule("A10")) func `a list shows its first page, and loads more pages on request`() async {
        let memos = MemoList()
        guard case .idle = memos.list.state else {
            Issue.record("The state is \(memos.list.state).")
            return
        }
        memos.list.loadMore()
        memos.list.reload()
        #expect(!memos.list.state.isLoading, "The list does not load before the first call of load.")
        memos.list.load()
        #expect(memos.list.state.isLoading)
        #expect(memos.list.state.value == nil)
        await memos.answer(["a", "b"], next: 2)
        #expect(memos.list.items == [Memo("a"), Memo("b")])
        #expect(memos.list.ids == ["a", "b"])
        #expect(memos.list.hasMore)
        memos.list.loadMore()
        memos.list.loadMore()
        #expect(memos.list.state.isLoading)
        #expect(memos.list.state.value?.count == 2)
        await memos.answer(["c"])
        #expect(memos.list.ids == ["a", "b", "c"])
        #expect(!memos.list.hasMore)
        memos.list.loadMore()
        #expect(!memos.list.state.isLoading)
        #expect(memos.pages.ids == [nil, 2])
    }

    @Test func `a second load of a new list joins the running load`() async {
        let memos = MemoList()
        memos.list.load()
        await memos.pages.requests(atLeast: 1)
        memos.list.load()
        await memos.answer(["a"])
        #expect(!memos.list.state.isLoading)
        #expect(memos.list.ids == ["a"])
        #expect(memos.pages.ids == [nil])
    }

    @Test func `an empty list counts as loaded`() async {
        let memos = await MemoList.showing()
        guard case .loaded(let items) = memos.list.state else {
            Issue.record("The state is \(memos.list.state).")
            return
        }
        #expect(items.isEmpty)
    }

    @Test func `a load joins, a reload supersedes, and the old list stays until the new list arrives`() async {
        let memos = await MemoList.showing("a", next: 1)
        memos.list.loadMore()
        await memos.pages.requests(atLeast: 2)
        memos.list.load()
        await memos.pages.requests(atLeast: 3)
        memos.list.load()
        await memos.pages.cancellations(atLeast: 1)
        memos.list.reload()
        await memos.pages.requests(atLeast: 4)
        await memos.pages.cancellations(atLeast: 2)
        #expect(memos.list.ids == ["a"])
        await memos.answer(["b"], next: 2)
        #expect(memos.list.ids == ["b"])
        #expect(memos.pages.ids == [nil, 1, nil, nil])
        #expect(memos.pages.cancelled == [1, nil])
    }

    @Test(.rule("A10")) func `a page of an old generation is discarded, even if its closure does not stop`()
        async
    {
        let latches = [AsyncLatch(), AsyncLatch()]
        var calls = 0
        let list = PagedLoader<Int, Memo> { _ in
            calls += 1
            let call = calls
            await latches[call - 1].wait()
            return Page([Memo("\(call)")])
        }
        list.load()
        await latches[0].arrivals(atLeast: 1)
        list.reload()
        await latches[1].arrivals(atLeast: 1)
        latches[1].open()
        await list.settled()
        latches[0].open()
        await Task {}.value
        #expect(list.ids == ["2"])
    }

    @Test func `a failure keeps the items, and a retry repeats the failed request`() async {
        let memos = await MemoList.showing("a", next: 1)
        memos.list.retry()
        #expect(!memos.list.state.isLoading)
        memos.list.loadMore()
        await memos.pages.fail(request: 2, with: Failure())
        await memos.list.settled()
        #expect(memos.list.state.error is Failure)
        #expect(memos.list.isPaging)
        #expect(memos.list.state.value?.map(\.id) == ["a"])
        #expect(memos.list.ids == ["a"])
        memos.list.retry()
        await memos.answer(["b"])
        #expect(memos.list.state.error == nil)
        #expect(memos.list.ids == ["a", "b"])
        memos.list.reload()
        await memos.pages.fail(request: 4, with: Failure())
        await memos.list.settled()
        #expect(!memos.list.isPaging)
        memos.list.retry()
        await memos.answer(["c"])
        #expect(memos.pages.ids == [nil, 1, 1, nil, nil])
        #expect(memos.list.ids == ["c"])
    }

    @Test func `a cancelled load and a closure that throws CancellationError both restore the state`() async {
        let memos = await MemoList.showing("a", next: 1)
        memos.list.loadMore()
        await memos.pages.requests(atLeast: 2)
        let waiter = Task { await memos.list.settled() }
        await Task {}.value
        memos.list.cancel()
        memos.list.cancel()
        await waiter.value
        await memos.pages.cancellations(atLeast: 1)
        #expect(!memos.list.state.isLoading)
        #expect(memos.list.hasMore)
        memos.list.loadMore()
        await memos.pages.fail(request: 3, with: CancellationError())
        await memos.list.settled()
        #expect(memos.list.state.error == nil)
        #expect(memos.list.ids == ["a"])
    }

    @Test func `a page load is retried with the retry policy of the store`() async {
        let clock = ManualClock()
        let store = RecordStore<String, Memo>(loadRetries: RetryPolicy(count: 1), clock: clock)
        var attempts = 0
        let list = PagedLoader<Int, Memo>(store: store) { _ in
            attempts += 1
            if attempts == 1 { throw Failure() }
            return Page([Memo("a")])
        }
        list.load()
        await clock.sleepers(atLeast: 1)
        #expect(list.state.isLoading)
        clock.advance(by: .seconds(30))
        await list.settled()
        #expect(list.ids == ["a"])
    }

    @Test func `a released list cancels its load`() async {
        let pages = LoadStub<Int?, Page<Int, Memo>>()
        var list: PagedLoader<Int, Memo>? = PagedLoader { cursor in try await pages.load(cursor) }
        weak var gone: PagedLoader<Int, Memo>?
        gone = list
        list?.load()
        await pages.requests(atLeast: 1)
        list = nil
        #expect(gone == nil)
        await pages.cancellations(atLeast: 1)
    }

    @Test func `a load that is superseded before its first step never calls the closure`() async {
        let memos = MemoList()
        memos.list.load()
        memos.list.reload()
        await memos.answer(["a"])
        #expect(memos.pages.ids == [nil])
        #expect(memos.list.ids == ["a"])
    }

    @Test func `a fresh list is shown without a load, and a refresh loads a stale list`() async {
        let memos = MemoList(staleAfter: .seconds(60))
        memos.store.refresh()
        memos.list.load()
        await memos.answer(["a"], next: 1)
        memos.clock.advance(by: .seconds(59))
        memos.list.loadMore()
        await memos.answer(["b"])
        memos.list.load()
        memos.store.refresh()
        #expect(!memos.list.state.isLoading)
        let memo = Loader(store: memos.store) { Memo($0) }
        memo.load("a")
        #expect(!memo.state.isLoading, "A record from a page is fresh as well.")
        memos.clock.advance(by: .seconds(1))
        memos.store.refresh()
        #expect(memos.list.state.isLoading)
        await memos.answer(["c"], next: 1)
        #expect(memos.list.ids == ["a", "b"])
        await memos.answer(["a"])
        #expect(memos.list.ids == ["c", "a"], "The refreshed list is as long as before.")
        memos.clock.advance(by: .seconds(60))
        memos.list.load()
        #expect(memos.list.state.isLoading)
        memos.list.cancel()
    }

    @Test func `a list with a private store keeps only the records on the list`() async {
        final class Document: Identifiable {
            let id = 1
        }
        var document: Document? = Document()
        weak var gone: Document?
        gone = document
        let list = PagedLoader<Int, Document> { _ in
            defer { document = nil }
            return Page(document.map { [$0] } ?? [])
        }
        list.load()
        await list.settled()
        await Task {}.value
        #expect(gone != nil)
        list.reload()
        await list.settled()
        await Task {}.value
        #expect(list.items.isEmpty)
        #expect(gone == nil)
    }

    @Test func `if the previous session needed a reload, the new session does not run it`() async throws {
        let memos = await MemoList.showing("a", "b")
        let (settled, open) = (await memos.mutate("a"), await memos.mutate("b"))
        await memos.sends.succeed(request: 2, with: nil)
        try await settled.value
        memos.store.reset()
        _ = await open.result
        memos.list.load()
        await memos.answer(["c"])
        #expect(!memos.list.state.isLoading)
        #expect(memos.pages.ids == [nil, nil])
    }

    @Test func `a new session shows no item of the previous session and discards its late results`() async {
        let memos = await MemoList.showing("a", next: 1)
        let mutation = await memos.mutate("a")
        memos.list.loadMore()
        await memos.pages.requests(atLeast: 2)
        memos.store.reset()
        #expect(memos.list.items.isEmpty)
        #expect(!memos.list.hasMore)
        #expect(!memos.list.state.isLoading)
        #expect(await failure(of: mutation)?.code == .sessionEnded)
        await memos.pages.cancellations(atLeast: 1)
        memos.list.load()
        await memos.answer(["theirs"])
        #expect(memos.texts == ["theirs"])
    }

    @Test func `every change is observed once, including a change of many items`() async {
        let memos = await MemoList.showing("a", next: 1)
        let changes = Watch { _ = memos.list.items }
        memos.list.loadMore()
        #expect(changes.count == 1)
        await memos.answer(["b", "c", "d"])
        #expect(changes.count == 2)
        memos.list.cancel()
        #expect(changes.count == 2)
        let mutation = await memos.mutate("c")
        #expect(changes.count == 3)
        await memos.sends.succeed(request: 1, with: Memo("c", "C"))
        _ = await mutation.result
        #expect(changes.count == 4)
        #expect(memos.texts == ["a", "b", "C", "d"])
    }
}
