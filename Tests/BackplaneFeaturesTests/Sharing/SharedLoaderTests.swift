import BackplaneTesting
import TestSupport
import Testing

@testable import BackplaneFeatures

private enum Trace {
    @TaskLocal static var id: String?
}

/// Loaders on several actors that share their loads.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct SharedLoaderTests {
    private let answers = LoadStub<Int, String>()

    private func shared() -> SharedLoads<Int, String> {
        SharedLoads { @MainActor id in try await self.answers.load(id) }
    }

    @Test func `loaders of two windows share a load`() async {
        let loads = shared()
        let (here, there) = (Loader(sharing: loads), Window(loads))
        here.load(7)
        await there.open(7)
        while loads.callerCount < 2 { await Task.yield() }
        await answers.succeed(request: 1, with: "seven")
        await here.settled()
        #expect(here.value == "seven")
        #expect(await there.value == "seven")
        #expect(answers.ids == [7])
    }

    @Test(.rule("C8")) func `a reload in a window updates both windows`() async {
        let loads = shared()
        let (here, there) = (Loader(sharing: loads), Window(loads))
        await there.open(7)
        await answers.requests(atLeast: 1)
        here.load(7)
        while loads.callerCount < 2 { await Task.yield() }
        here.reload()
        await answers.requests(atLeast: 2)
        await answers.cancellations(atLeast: 1)
        answers.succeed(with: "new")
        await here.settled()
        #expect(here.value == "new")
        #expect(await there.value == "new")
    }

    @Test(.rule("C4")) func `a closed window leaves its load to the others, and the last window ends the load`() async {
        let loads = shared()
        let there = Window(loads)
        var here: Loader<Int, String>? = Loader(sharing: loads)
        here?.load(7)
        await there.open(7)
        while loads.callerCount < 2 { await Task.yield() }
        here = nil
        while loads.callerCount > 1 { await Task.yield() }
        #expect(!loads.isIdle)
        await there.close()
        while !loads.isIdle { await Task.yield() }
    }

    @Test(.rule("C7")) func `a load from before a settled mutation is not joined`() async throws {
        let loads = shared()
        let (here, there) = (Loader(sharing: loads), Window(loads))
        here.load(7)
        await answers.succeed(request: 1, with: "old")
        await here.settled()
        await there.open(7)
        await answers.requests(atLeast: 2)
        let rename = Mutation<String>(.edit { value in value = "new" }) { _ in
        }
        try await here.mutate(rename)
        // The settlement causes a reload. It does not join the other window's load, whose response
        // may be older.
        await answers.succeed(request: 3, with: "old")
        #expect(await there.value == "old")
        #expect(here.value == "new")
        answers.succeed(with: "newest")
        await here.settled()
        #expect(here.value == "newest")
    }

    @Test(.rule("C7")) func `a loader does not join a load from before a mutation that a list has settled`()
        async throws
    {
        let pages = LoadStub<Int?, Page<Int, Memo>>()
        let store = RecordStore<String, Memo>(clock: ManualClock())
        let list = PagedLoader<Int, Memo>(store: store) { cursor in try await pages.load(cursor) }
        list.load()
        await pages.succeed(request: 1, with: Page([Memo("a")]))
        await list.settled()
        let memos = LoadStub<String, Memo>()
        let shared = SharedLoads { @MainActor (id: String) in try await memos.load(id) }
        let early = Task { try await shared.value(for: "a") }
        await memos.requests(atLeast: 1)
        try await list.mutate(Mutation(.delete) { _ in }, of: "a")
        let loader = Loader(store: store, sharing: shared)
        loader.load("a")
        // The earlier load would bring the deleted memo back.
        await memos.requests(atLeast: 2)
        await memos.cancellations(atLeast: 1)
        #expect(memos.ids == ["a", "a"])
        memos.fail(with: NoAnswer())
        await loader.settled()
        _ = await early.result
        #expect(loader.value == nil)
    }

    @Test(.rule("C1")) func `after a reset, the next session does not join an old shared load`() async {
        let loads = shared()
        let store = RecordStore<Int, String>()
        let (here, there) = (Loader(store: store, sharing: loads), Window(loads))
        here.load(7)
        await there.open(7)
        while loads.callerCount < 2 { await Task.yield() }
        await answers.requests(atLeast: 1)
        store.reset()
        here.load(7)
        await answers.requests(atLeast: 2)
        await there.close()
    }

    @Test(.rule("A30")) func `the windows of an app share one load for each refresh`() async {
        let loads = shared()
        let windows = (0..<5).map { _ in RecordStore<Int, String>() }.map { store in
            (store: store, loader: Loader(store: store, sharing: loads))
        }
        for window in windows { window.loader.load(7) }
        while loads.callerCount < 5, !Task.isCancelled { await Task.yield() }
        await answers.succeed(request: 1, with: "seven")
        for window in windows { await window.loader.settled() }
        // The load of the first signal hangs.
        for count in 2...3 {
            for window in windows { window.store.refresh() }
            await answers.requests(atLeast: count)
            while loads.callerCount < 5, !Task.isCancelled { await Task.yield() }
        }
        await answers.cancellations(atLeast: 1)
        answers.succeed(with: "new")
        for window in windows { await window.loader.settled() }
        #expect(windows.map(\.loader.value) == Array(repeating: "new", count: 5))
        #expect(answers.ids.count == 3)
    }

    @Test(.rule("A30")) func `after a settled change, windows share the load of the next refresh`()
        async throws
    {
        let loads = shared()
        let (here, there) = (RecordStore<Int, String>(), RecordStore<Int, String>())
        let (first, second) = (Loader(store: here, sharing: loads), Loader(store: there, sharing: loads))
        first.load(7)
        second.load(7)
        while loads.callerCount < 2, !Task.isCancelled { await Task.yield() }
        await answers.succeed(request: 1, with: "seven")
        await first.settled()
        await second.settled()
        try await first.mutate(
            Mutation(.edit { $0 = "mine" }, send: { _ in "mine" }, confirming: { $0 })
        )
        there.refresh()
        while loads.callerCount < 1, !Task.isCancelled { await Task.yield() }
        here.refresh()
        while loads.callerCount < 2, !Task.isCancelled { await Task.yield() }
        await answers.succeed(request: 2, with: "new")
        await first.settled()
        await second.settled()
        #expect([first.value, second.value] == ["new", "new"])
        #expect(answers.ids.count == 2)
    }

    @Test(.rule("C3")) func `a load and a send do not have the task-local values of their caller`() async throws {
        var seen: [String?] = []
        let loader = Loader { (_: Int) in
            seen.append(Trace.id)
            return "value"
        }
        Trace.$id.withValue("the caller's") { loader.load(7) }
        await loader.settled()
        let mutation = Mutation<String>(.edit { value in value = "new" }) { _ in
            seen.append(Trace.id)
        }
        try await Trace.$id.withValue("the caller's") { try await loader.mutate(mutation) }
        await loader.settled()
        #expect(seen == [nil, nil, nil])
    }
}

/// Another window with a loader on its own actor.
private actor Window {
    private var loader: Loader<Int, String>?

    init(_ loads: SharedLoads<Int, String>) {
        loader = Loader(sharing: loads)
    }

    func open(_ id: Int) {
        loader?.load(id)
    }

    func close() {
        loader = nil
    }

    var value: String? {
        get async {
            await loader?.settled()
            return loader?.value
        }
    }
}
