import BackplaneTesting
import TestSupport
import Testing

@testable import BackplaneFeatures

/// A11 with a server that assigns its own IDs.
@MainActor @Suite(.timeLimit(.minutes(5))) struct AliasTests {
    private let clock = ManualClock()
    private let loads = LoadStub<String, Memo>()
    private let pages = LoadStub<Int?, Page<Int, Memo>>()
    private let sends = LoadStub<IdempotencyKey, Memo?>()
    private let store: RecordStore<String, Memo>
    private let list: PagedLoader<Int, Memo>

    init() {
        store = RecordStore(identity: \.id, clock: clock)
        list = PagedLoader(store: store) { [pages] cursor in try await pages.load(cursor) }
    }

    private func makeLoader() -> Loader<String, Memo> {
        Loader(store: store) { [loads] id in try await loads.load(id) }
    }

    private func showList(_ memos: Memo...) async {
        list.load()
        await answerPage(memos)
    }

    private func answerPage(_ memos: [Memo], of list: PagedLoader<Int, Memo>? = nil) async {
        await pages.requests(atLeast: pages.ids.count + (pages.pending.isEmpty ? 1 : 0))
        await (list ?? self.list).hears { pages.succeed(with: Page(memos)) }
    }

    private func answerLoad(_ id: String, with memo: Memo, for loader: Loader<String, Memo>) async {
        if !loads.pending.contains(id) { await loads.requests(atLeast: loads.ids.count + 1) }
        loads.succeed(id, with: memo)
        await loader.settled()
    }

    /// Starts an insertion and returns when the memo is visible and its send has begun.
    private func insert(_ id: String) async -> Task<Void, any Error> {
        let count = sends.ids.count
        let task = Task { [list, sends] in
            try await list.insert(Memo(id), send: { key in try await sends.load(key) }, confirming: { $0 })
        }
        await sends.requests(atLeast: count + 1)
        return task
    }

    private func exclaim() -> Mutation<Memo> {
        Mutation(.edit { $0.text += "!" }, label: "exclaim") { [sends] key in
            try await sends.load(key)
        } confirming: {
            $0
        }
    }

    private func start(_ mutation: Mutation<Memo>, of id: String) async -> Task<Void, any Error> {
        let task = Task { [list] in try await list.mutate(mutation, of: id) }
        await Task {}.value
        return task
    }

    @Test(.rule("A11")) func `an inserted record is found by both IDs, and shown under the server's ID`()
        async throws
    {
        await showList(Memo("a"))
        let insertion = await insert("new")
        let memo = makeLoader()
        memo.load("new")
        await loads.fail(request: 1, with: Failure())
        await memo.settled()
        #expect(memo.state.error is Failure, "The server does not know the local ID.")
        sends.succeed(with: Memo("7", "made"))
        try await insertion.value
        #expect(list.ids == ["7", "a"])
        #expect(list.items.map(\.text) == ["made", "a"])
        #expect(memo.id == "7")
        #expect(memo.value == Memo("7", "made"))
        #expect(store.currentID(of: "new") == "7")
        #expect(list.currentID(of: "new") == "7")
        #expect(store.currentID(of: "a") == "a")
        #expect(memo.state.isLoading, "The loader loads again by the new ID.")
        memo.load("new")
        await loads.requests(atLeast: 2)
        memo.load("7")
        await answerLoad("7", with: Memo("7", "loaded"), for: memo)
        #expect(loads.ids == ["new", "7"], "Both calls join the running load.")
        #expect(list.items.map(\.text) == ["loaded", "a"])
        #expect(memo.state.error == nil)
        memo.load("new")
        await loads.requests(atLeast: 3)
        memo.cancel()
        await loads.cancellations(atLeast: 1)
        #expect(!memo.state.isLoading)
        let mutation = await start(exclaim(), of: "new")
        #expect(list.items.map(\.text) == ["loaded!", "a"])
        await sends.fail(request: 2, with: Refused())
        _ = await mutation.result
        #expect(list.pending(of: "new").count == 1)
    }

    @Test(.rule("A11")) func `a load by the new ID supersedes the running load by the old ID`() async throws {
        await showList()
        let insertion = await insert("new")
        let memo = makeLoader()
        memo.load("new")
        await loads.requests(atLeast: 1)
        sends.succeed(with: Memo("7", "made"))
        try await insertion.value
        await loads.requests(atLeast: 2)
        await loads.cancellations(atLeast: 1)
        await answerLoad("7", with: Memo("7", "loaded"), for: memo)
        #expect(memo.value?.text == "loaded")
        #expect(loads.ids == ["new", "7"])
    }

    @Test(.rule("A11")) func `a mutation that waits for the insertion is sent with the new ID`() async throws {
        await showList()
        let insertion = await insert("new")
        var sent: String?
        let mutation = Mutation<Memo>(.edit { $0.text += "!" }) { [store] _ in
            sent = store.currentID(of: "new")
            return Memo("7", "made!")
        } confirming: {
            $0
        }
        let change = await start(mutation, of: "new")
        #expect(list.items.map(\.text) == ["new!"])
        #expect(sent == nil)
        sends.succeed(with: Memo("7", "made"))
        try await insertion.value
        #expect(list.items.map(\.text) == ["made!"])
        try await change.value
        #expect(sent == "7")
    }

    @Test(.rule("A11")) func `when the response has the ID of an item in a page, the record is shown once`()
        async throws
    {
        await showList(Memo("a"))
        let insertion = await insert("new")
        let queued = await start(exclaim(), of: "new")
        list.reload()
        await answerPage([Memo("b"), Memo("7", "made"), Memo("a")])
        #expect(list.ids == ["new", "b", "7", "a"], "One of both may be the other, and only one is pending.")
        sends.succeed(with: Memo("7", "made"))
        try await insertion.value
        #expect(list.ids == ["b", "7", "a"])
        #expect(list.items.map(\.text) == ["b", "made!", "a"])
        await sends.requests(atLeast: 2)
        #expect(store.pendingRecords.count == 1)
        sends.succeed(with: Memo("7", "made!"))
        try await queued.value
        #expect(list.items.map(\.text) == ["b", "made!", "a"])
        #expect(store.pendingRecords.isEmpty)
    }

    @Test(.rule("A11")) func `an inserted record merges with a record that was already loaded by the new ID`()
        async throws
    {
        await showList(Memo("a"))
        let (old, new) = (makeLoader(), makeLoader())
        let insertion = await insert("new")
        old.load("new")
        await loads.fail(request: 1, with: Failure())
        new.load("7")
        await answerLoad("7", with: Memo("7", "loaded"), for: new)
        let queued = await start(exclaim(), of: "new")
        let open = exclaim()
        let elsewhere = Task { try await new.mutate(open) }
        await sends.requests(atLeast: 2)
        #expect(old.value?.text == "new!")
        #expect(new.value?.text == "loaded!")
        sends.succeed(sends.ids[0], with: Memo("7", "made"))
        try await insertion.value
        #expect(list.ids == ["7", "a"])
        #expect(old.id == "7")
        #expect(old.value?.text == "loaded!!", "The loaded value is newer than the response.")
        #expect(new.value?.text == "loaded!!")
        #expect(new.pending.count == 2)
        #expect(sends.pending == [open.id], "A3: Only one send is open at a time.")
        sends.succeed(with: Memo("7", "loaded!"))
        try await elsewhere.value
        await sends.succeed(request: 3, with: Memo("7", "loaded!!"))
        try await queued.value
        #expect(old.state.isLoading, "The failed load used the old ID.")
        // A load that arrived during a send may have to be discarded.
        while old.state.isLoading { await answerLoad("7", with: Memo("7", "last"), for: old) }
        #expect(new.value?.text == "last")
        #expect(old.state.error == nil)
    }

    @Test(.rule("A11")) func `an unconfirmed mutation is resent when its record merges with a confirmed insertion`()
        async throws
    {
        await showList()
        let new = makeLoader()
        new.load("7")
        await answerLoad("7", with: Memo("7", "loaded"), for: new)
        let mutation = exclaim()
        try new.enqueue(mutation)
        await sends.fail(request: 1, with: NoAnswer())
        await waitUntil { new.pending.map(\.status) == [.unconfirmed] }
        let insertion = await insert("new")
        sends.succeed(with: Memo("7", "made"))
        try await insertion.value
        await sends.requests(atLeast: 3)
        #expect(sends.ids.last == mutation.id)
        sends.succeed(with: Memo("7", "loaded!"))
        while !new.pending.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(new.value?.text == "loaded!")
    }

    @Test(.rule("A11"))
    func `a loader that changes between both IDs of a record shows the record and is released once`() async throws {
        await showList()
        for turns in [("new", "7"), ("7", "new")] {
            store.reset()
            var memo: Loader<String, Memo>? = makeLoader()
            await showList()
            let insertion = await insert("new")
            memo?.load(turns.0)
            await loads.requests(atLeast: loads.ids.count + 1)
            if turns.0 == "new" { loads.fail(with: Failure()) } else { loads.succeed(with: Memo("7", "loaded")) }
            await memo?.settled()
            memo?.load(turns.1)
            await loads.requests(atLeast: loads.ids.count + 1)
            sends.succeed(with: Memo("7", "made"))
            try await insertion.value
            #expect(memo?.id == "7")
            memo?.reload()
            await loads.requests(atLeast: loads.ids.count + 1)
            memo?.cancel()
            #expect(memo?.id == "7")
            #expect(memo?.value != nil)
            let count = loads.cancelled.count + loads.pending.count
            memo?.reload()
            await loads.requests(atLeast: loads.ids.count + 1)
            memo = nil
            await loads.cancellations(atLeast: count + 1)
        }
    }

    @Test(.rule("A11"), arguments: [false, true])
    func `a loader that waits for a load by the old ID waits for a load by the new ID`(isLoading: Bool) async throws {
        await showList()
        let (old, new) = (makeLoader(), makeLoader())
        new.load("7")
        await answerLoad("7", with: Memo("7", "loaded"), for: new)
        let insertion = await insert("new")
        old.load("new")
        await loads.requests(atLeast: 2)
        if isLoading {
            new.reload()
            await loads.requests(atLeast: 3)
        }
        sends.succeed(with: Memo("7", "made"))
        try await insertion.value
        await loads.cancellations(atLeast: 1)
        #expect(loads.cancelled == ["new"])
        #expect(old.state.isLoading)
        await loads.requests(atLeast: 3)
        await answerLoad("7", with: Memo("7", "again"), for: old)
        #expect(old.value?.text == "again")
        #expect(loads.ids == ["7", "new", "7"])
    }

    @Test(.rule("A11")) func `a loader returns to its previous record under the new ID`() async throws {
        await showList()
        let (memo, other) = (makeLoader(), makeLoader())
        other.load("7")
        await answerLoad("7", with: Memo("7", "loaded"), for: other)
        let insertion = await insert("new")
        memo.load("new")
        await loads.fail(request: 2, with: Failure())
        await memo.settled()
        memo.load("z")
        await loads.requests(atLeast: 3)
        sends.succeed(with: Memo("7", "made"))
        try await insertion.value
        #expect(memo.id == "z")
        memo.cancel()
        #expect(memo.id == "7")
        #expect(memo.value?.text == "loaded")
    }

    @Test(.rule("A11")) func `a response of the previous session does not change an ID`() async throws {
        let latch = AsyncLatch()
        await showList()
        // The loader keeps the record.
        let memo = makeLoader()
        memo.load("new")
        await loads.requests(atLeast: 1)
        memo.cancel()
        memo.load("new")
        await loads.requests(atLeast: 2)
        loads.fail("new", with: Failure())
        await memo.settled()
        let insertion = Task { [list] in
            try await list.insert(Memo("new")) { _ in
                // Ignores its cancellation.
                await latch.wait()
                return Memo("7", "made")
            } confirming: {
                $0
            }
        }
        await latch.arrivals(atLeast: 1)
        store.reset()
        #expect(await failure(of: insertion)?.code == .sessionEnded)
        await showList(Memo("new"))
        let change = await start(exclaim(), of: "new")
        latch.open()
        await Task {}.value
        #expect(list.ids == ["new"])
        #expect(list.pending(of: "new").count == 1)
        #expect(store.pendingRecords.count == 1)
        await sends.fail(request: 1, with: Refused())
        _ = await change.result
        #expect(store.currentID(of: "new") == "new")
    }

    @Test(.rule("A11"))
    func `an ID that is replaced twice leads to the last ID, and a new session forgets the aliases`() async throws {
        await showList()
        let insertion = await insert("new")
        sends.succeed(with: Memo("7", "made"))
        try await insertion.value
        let move = await start(exclaim(), of: "7")
        await sends.succeed(request: 2, with: Memo("8", "moved"))
        try await move.value
        #expect(list.ids == ["8"])
        #expect(store.currentID(of: "new") == "8")
        let back = await start(exclaim(), of: "new")
        await sends.succeed(request: 3, with: Memo("7", "moved back?"))
        try await back.value
        #expect(list.ids == ["8"], "Both IDs belong to the same record.")
        #expect(list.items.map(\.text) == ["moved back?"])
        list.reload()
        await answerPage([Memo("7"), Memo("new")])
        #expect(list.ids == ["8"])
        store.reset()
        #expect(store.currentID(of: "new") == "new")
    }

    @Test(.rule("A11"))
    func `a list with a private store takes the server's IDs and keeps the pending record of another page`()
        async throws
    {
        let list = PagedLoader<Int, Memo> { [pages] cursor in try await pages.load(cursor) }
        list.load()
        await answerPage([Memo("a"), Memo("b")], of: list)
        let insertion = Task { [sends] in
            try await list.insert(Memo("new"), send: { key in try await sends.load(key) }, confirming: { $0 })
        }
        await sends.succeed(request: 1, with: Memo("6", "made"))
        try await insertion.value
        let mutation = exclaim()
        let change = Task { try await list.mutate(mutation, of: "a") }
        await sends.requests(atLeast: 2)
        // This page lacks the pending record, and the next page contains it again.
        list.reload()
        await answerPage([Memo("b")], of: list)
        #expect(list.items.map(\.text) == ["b"])
        let another = Task { [sends] in
            try await list.insert(Memo("new"), send: { key in try await sends.load(key) }, confirming: { $0 })
        }
        await sends.requests(atLeast: 3)
        list.reload()
        await answerPage([Memo("b"), Memo("a")], of: list)
        sends.succeed(mutation.id, with: Memo("a", "a!"))
        try await change.value
        sends.succeed(with: Memo("7", "made"))
        try await another.value
        #expect(list.items.map(\.text) == ["made", "b", "a!"])
    }
}
