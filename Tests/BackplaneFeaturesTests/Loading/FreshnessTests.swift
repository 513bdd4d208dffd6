import BackplaneTesting
import TestSupport
import Testing

@testable import BackplaneFeatures

@MainActor @Suite(.timeLimit(.minutes(5))) struct FreshnessTests {
    private let clock = ManualClock()
    private let loads = LoadStub<Int, String>()
    private let sends = LoadStub<IdempotencyKey, Void>()
    private let store: RecordStore<Int, String>

    init() {
        store = RecordStore(staleAfter: .seconds(60), clock: clock)
    }

    private func makeLoader() -> Loader<Int, String> {
        Loader(store: store) { [loads] id in try await loads.load(id) }
    }

    private func load(_ id: Int, bringing value: String, into loader: Loader<Int, String>) async {
        let count = loads.ids.count
        loader.load(id)
        await loads.succeed(request: count + 1, with: value)
        await loader.settled()
    }

    @Test func `a fresh value is shown and not loaded again`() async {
        let (page, later) = (makeLoader(), makeLoader())
        await load(1, bringing: "one", into: page)
        clock.advance(by: .seconds(59))
        later.load(1)
        #expect(!later.state.isLoading)
        #expect(later.value == "one")
        clock.advance(by: .seconds(1))
        later.load(1)
        #expect(later.state.isLoading)
        later.cancel()
        page.reload()
        #expect(page.state.isLoading, "A reload loads again although the value is fresh.")
    }

    @Test func `a loader keeps the ID of a fresh value after a cancelled reload`() async {
        let (page, other) = (makeLoader(), makeLoader())
        await load(1, bringing: "one", into: other)
        await load(2, bringing: "two", into: page)
        #expect(page.value == "two")
        page.load(1)
        #expect(page.value == "one")
        page.reload()
        page.cancel()
        #expect(page.id == 1)
    }

    @Test func `a waiting caller resumes when the loader changes to an ID with a fresh value`() async {
        let (page, other) = (makeLoader(), makeLoader())
        await load(1, bringing: "one", into: other)
        page.load(2)
        await loads.requests(atLeast: 2)
        let waiter = Task { await page.settled() }
        await Task {}.value
        page.load(1)
        await waiter.value
        #expect(page.value == "one")
        await loads.cancellations(atLeast: 1)
    }

    @Test(.rule("A19")) func `a fresh value does not show a cancelled load that has not ended yet`() async {
        let (page, later) = (makeLoader(), makeLoader())
        await load(1, bringing: "one", into: page)
        page.reload()
        await loads.requests(atLeast: 2)
        page.load(2)
        later.load(1)
        #expect(later.value == "one")
        #expect(!later.state.isLoading)
    }

    @Test func `a value of the previous session is not fresh`() async {
        let page = makeLoader()
        await load(1, bringing: "one", into: page)
        store.reset()
        page.load(1)
        #expect(page.state.isLoading)
    }

    @Test func `a failed load leaves the value stale`() async {
        let page = makeLoader()
        await load(1, bringing: "one", into: page)
        page.reload()
        await loads.fail(request: 2, with: Refused())
        await page.settled()
        page.load(1)
        #expect(page.state.isLoading)
    }

    @Test func `a mutated value stays stale until the next load`() async throws {
        var page: Loader<Int, String>? = makeLoader()
        if let page { await load(1, bringing: "one", into: page) }
        let mutation = Mutation<String>(.edit { $0 += "!" }) { [sends] in try await sends.load($0) }
        let caller = Task { [page] in try await page?.mutate(mutation) }
        await sends.requests(atLeast: 1)
        caller.cancel()
        _ = await caller.result
        page = nil
        sends.succeed(with: ())
        while store.record(1).hasPending, !Task.isCancelled { await Task.yield() }
        let later = makeLoader()
        later.load(1)
        #expect(later.value == "one!")
        #expect(later.state.isLoading)
    }

    @Test(.rule("A28")) func `a list is as old as its first page`() async {
        let memos = MemoList(staleAfter: .seconds(60))
        memos.list.load()
        await memos.answer([String](), next: 1)
        memos.clock.advance(by: .seconds(50))
        await memos.answer(["a"], next: 2)
        memos.list.load()
        #expect(!memos.list.state.isLoading)
        memos.list.loadMore()
        await memos.answer(["b"])
        memos.clock.advance(by: .seconds(10))
        memos.store.refresh()
        #expect(memos.list.state.isLoading, "The first page is 60 seconds old.")
        memos.list.cancel()
    }

    @Test func `a refresh loads only stale values that a loader shows`() async {
        let (page, badge) = (makeLoader(), makeLoader())
        var gone: Loader<Int, String>? = makeLoader()
        await load(1, bringing: "one", into: page)
        if let gone { await load(3, bringing: "three", into: gone) }
        gone = nil
        clock.advance(by: .seconds(60))
        await load(2, bringing: "two", into: badge)
        store.refresh()
        #expect(page.state.isLoading)
        #expect(!badge.state.isLoading)
        await loads.requests(atLeast: 4)
        #expect(loads.ids == [1, 3, 2, 1])
    }
}
