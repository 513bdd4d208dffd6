import BackplaneTesting
import TestSupport
import Testing

@testable import BackplaneFeatures

/// A11 where the server gives what is made an ID of its own.
@MainActor @Suite(.timeLimit(.minutes(5))) struct AliasTests {
    private let clock = ManualClock()
    private let loads = LoadStub<String, Memo>()
    private let pages = LoadStub<Int?, Page<Int, Memo>>()
    private let sends = LoadStub<IdempotencyKey, Memo?>()
    private let store: RecordStore<String, Memo>
    private let list: PagedLoader<Int, Memo>

    init() {
        store = RecordStore(identity: \.id, retries: .never, clock: clock)
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

    /// Starts to make a memo; it is visible, and on its way, when this returns.
    private func insert(_ id: String) async -> Task<Void, any Error> {
        let count = sends.ids.count
        let task = Task { [list, sends] in
            try await list.insert(Memo(id)) { key in
                try await sends.load(key)
            } confirming: {
                $0
            }
        }
        await sends.requests(atLeast: count + 1)
        return task
    }

    private func exclaim() -> Mutation<Memo> {
        Mutation(label: "exclaim") {
            $0.text += "!"
        } send: { [sends] key in
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

    @Test(.rule("A11")) func `what is made answers to both IDs, and lists and loaders follow`() async throws {
        await showList(Memo("a"))
        let insertion = await insert("new")
        let memo = makeLoader()
        memo.load("new")
        await loads.requests(atLeast: 1)
        loads.fail(with: Failure())
        await memo.settled()
        #expect(memo.state.error is Failure, "The server knows nothing of that ID.")
        sends.succeed(with: Memo("7", "made"))
        try await insertion.value
        #expect(list.ids == ["7", "a"])
        #expect(list.items.map(\.text) == ["made", "a"])
        #expect(memo.id == "7")
        #expect(memo.value == Memo("7", "made"))
        #expect(store.currentID(of: "new") == "7")
        #expect(list.currentID(of: "new") == "7")
        #expect(store.currentID(of: "a") == "a")
        #expect(memo.state.isLoading, "It is loaded again, by its new ID.")
        memo.load("new")
        await loads.requests(atLeast: 2)
        memo.load("7")
        await answerLoad("7", with: Memo("7", "loaded"), for: memo)
        #expect(loads.ids == ["new", "7"], "Both are joined.")
        #expect(list.items.map(\.text) == ["loaded", "a"])
        #expect(memo.state.error == nil)
        memo.load("new")
        await loads.requests(atLeast: 3)
        memo.cancel()
        await loads.cancellations(atLeast: 1)
        #expect(!memo.state.isLoading)
        let mutation = await start(exclaim(), of: "new")
        #expect(list.items.map(\.text) == ["loaded!", "a"])
        await sends.requests(atLeast: 2)
        sends.fail(with: Refused())
        _ = await mutation.result
        #expect(list.pending(of: "new").count == 1)
    }

    @Test(.rule("A11")) func `a load by the old ID that is under way is superseded by one by the new ID`() async throws
    {
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

    @Test(.rule("A11")) func `what waits until it is made is sent with the ID that it then has`() async throws {
        await showList()
        let insertion = await insert("new")
        var sent: String?
        let mutation = Mutation<Memo> {
            $0.text += "!"
        } send: { [store] _ in
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

    @Test(.rule("A11")) func `a page that has it under its new ID before the answer does not show it twice`()
        async throws
    {
        await showList(Memo("a"))
        let insertion = await insert("new")
        let queued = await start(exclaim(), of: "new")
        list.reload()
        await answerPage([Memo("b"), Memo("7", "made"), Memo("a")])
        #expect(list.ids == ["new", "a"])
        #expect(!list.state.isLoading)
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

    @Test(.rule("A11")) func `a list loads as long as its first page is kept aside`() async throws {
        list.load()
        let insertion = await insert("new")
        let waiter = Task { await list.settled() }
        await answerPage([Memo("7", "made"), Memo("a")])
        #expect(list.state.isLoading)
        #expect(list.ids == ["new"])
        sends.succeed(with: Memo("7", "made"))
        try await insertion.value
        await waiter.value
        #expect(list.ids == ["7", "a"])
        #expect(!list.state.isLoading)
    }

    @Test(.rule("A11")) func `a page that is kept aside lands when the server refuses as well`() async throws {
        await showList(Memo("a"))
        let insertion = await insert("new")
        list.reload()
        await answerPage([Memo("b")])
        sends.fail(with: Refused())
        _ = await insertion.result
        #expect(list.ids == ["b"])
    }

    @Test(.rule("A11")) func `a record that came under the new ID meanwhile becomes one with it`() async throws {
        await showList(Memo("a"))
        let (old, new) = (makeLoader(), makeLoader())
        let insertion = await insert("new")
        old.load("new")
        await loads.requests(atLeast: 1)
        loads.fail(with: Failure())
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
        #expect(old.value?.text == "loaded!!", "What was loaded is newer than the reply.")
        #expect(new.value?.text == "loaded!!")
        #expect(new.pending.count == 2)
        #expect(sends.pending == [open.id], "A3: one send is open at a time.")
        sends.succeed(with: Memo("7", "loaded!"))
        try await elsewhere.value
        await sends.requests(atLeast: 3)
        sends.succeed(with: Memo("7", "loaded!!"))
        try await queued.value
        #expect(old.state.isLoading, "What had failed was a load by the old ID.")
        // One may have to be discarded that landed while a send was open.
        while old.state.isLoading { await answerLoad("7", with: Memo("7", "last"), for: old) }
        #expect(new.value?.text == "last")
        #expect(old.state.error == nil)
    }

    @Test(.rule("A11")) func `what is stalled is sent again when it takes over what has been answered`() async throws {
        await showList()
        let new = makeLoader()
        new.load("7")
        await answerLoad("7", with: Memo("7", "loaded"), for: new)
        let mutation = exclaim()
        let stalled = Task { try await new.mutate(mutation) }
        await sends.requests(atLeast: 1)
        sends.fail(with: NoAnswer())
        #expect(await failure(of: stalled)?.code == .unconfirmed)
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
    func `a loader that turns from the one to the other shows the one record, and lets go of it once`()
        async throws
    {
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
    func `who waits for a load by the old ID waits for one by the new ID`(isLoading: Bool) async throws {
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

    @Test(.rule("A11")) func `a loader comes back to what has become of the record that it showed`() async throws {
        await showList()
        let (memo, other) = (makeLoader(), makeLoader())
        other.load("7")
        await answerLoad("7", with: Memo("7", "loaded"), for: other)
        let insertion = await insert("new")
        memo.load("new")
        await loads.requests(atLeast: 2)
        loads.fail(with: Failure())
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

    @Test(.rule("A11")) func `an answer from another session names nothing in this one`() async throws {
        let gate = AsyncLatch()
        await showList()
        // Keeps the record.
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
                // Ignores that it is cancelled.
                await gate.wait()
                return Memo("7", "made")
            } confirming: {
                $0
            }
        }
        await gate.arrivals(atLeast: 1)
        store.reset()
        #expect(await failure(of: insertion)?.code == .sessionEnded)
        await showList(Memo("new"))
        let change = await start(exclaim(), of: "new")
        gate.open()
        await Task {}.value
        #expect(list.ids == ["new"])
        #expect(list.pending(of: "new").count == 1)
        #expect(store.pendingRecords.count == 1)
        await sends.requests(atLeast: 1)
        sends.fail(with: Refused())
        _ = await change.result
        #expect(store.currentID(of: "new") == "new")
    }

    @Test(.rule("A11")) func `an ID that has been given twice leads to the last, and is forgotten in another session`()
        async throws
    {
        await showList()
        let insertion = await insert("new")
        sends.succeed(with: Memo("7", "made"))
        try await insertion.value
        let move = await start(exclaim(), of: "7")
        await sends.requests(atLeast: 2)
        sends.succeed(with: Memo("8", "moved"))
        try await move.value
        #expect(list.ids == ["8"])
        #expect(store.currentID(of: "new") == "8")
        let back = await start(exclaim(), of: "new")
        await sends.requests(atLeast: 3)
        sends.succeed(with: Memo("7", "moved back?"))
        try await back.value
        #expect(list.ids == ["8"], "That is the same record.")
        #expect(list.items.map(\.text) == ["moved back?"])
        list.reload()
        await answerPage([Memo("7"), Memo("new")])
        #expect(list.ids == ["8"])
        store.reset()
        #expect(store.currentID(of: "new") == "new")
    }

    @Test(.rule("A11"))
    func
        `a list with a store of its own takes the server's IDs, and keeps the records of a page that is kept aside`()
        async throws
    {
        let list = PagedLoader<Int, Memo> { [pages] cursor in try await pages.load(cursor) }
        list.load()
        await answerPage([Memo("a"), Memo("b")], of: list)
        let insertion = Task { [sends] in
            try await list.insert(Memo("new")) { key in
                try await sends.load(key)
            } confirming: {
                $0
            }
        }
        await sends.requests(atLeast: 1)
        sends.succeed(with: Memo("6", "made"))
        try await insertion.value
        let mutation = exclaim()
        let change = Task { try await list.mutate(mutation, of: "a") }
        await sends.requests(atLeast: 2)
        // Without that which is pending; the next page, which is kept aside, has it again.
        list.reload()
        await answerPage([Memo("b")], of: list)
        #expect(list.items.map(\.text) == ["b"])
        let another = Task { [sends] in
            try await list.insert(Memo("new")) { key in
                try await sends.load(key)
            } confirming: {
                $0
            }
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
