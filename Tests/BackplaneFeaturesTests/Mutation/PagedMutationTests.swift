import BackplaneTesting
import TestSupport
import Testing

@testable import BackplaneFeatures

@MainActor @Suite(.timeLimit(.minutes(5))) struct PagedMutationTests {
    @Test(.rule("A10")) func `a changed item shows the change in every list and loader of the store`() async throws {
        let memos = await MemoList.showing("a", "b")
        let other = PagedLoader<Int, Memo>(store: memos.store) { _ in Page([Memo("b"), Memo("c")]) }
        other.load()
        await other.settled()
        let memo = Loader(store: memos.store) { Memo($0) }
        memo.load("b")
        await memo.settled()
        let mutation = await memos.mutate("b")
        #expect(memos.texts == ["a", "b!"])
        #expect(other.items.map(\.text) == ["b!", "c"])
        #expect(memo.value?.text == "b!")
        #expect(other.pending(of: "b").map(\.label) == ["exclaim"])
        #expect(other.pending(of: "c").isEmpty)
        await memos.sends.fail(request: 1, with: Refused())
        #expect(await failure(of: mutation)?.code == .rejected)
        #expect(memos.texts == ["a", "b"])
        #expect(other.items.map(\.text) == ["b", "c"])
        let failed = try #require(memos.list.pending(of: "b").first)
        #expect(failed.status == .failed)
        memos.list.dismiss(failed.id, of: "b")
        #expect(memos.list.pending(of: "b").isEmpty)
        await memo.settled()
    }

    @Test(.rule("A7", "A10"))
    func `a page that was requested before or during a send does not hide the mutation`() async throws {
        let memos = await MemoList.showing("a", "b")
        let mutation = await memos.mutate("a")
        memos.list.reload()
        await memos.answer([Memo("a", "old"), Memo("b", "new")])
        #expect(memos.texts == ["a!", "new"])
        memos.list.reload()
        await memos.pages.requests(atLeast: 3)
        await memos.sends.succeed(request: 1, with: Memo("a", "A!"))
        try await mutation.value
        #expect(memos.texts == ["A!", "new"])
        // The held page is discarded. The list loads again once and cancels the running load.
        await memos.pages.requests(atLeast: 4)
        await memos.pages.cancellations(atLeast: 1)
        await memos.answer([Memo("a", "A!"), Memo("b", "newer")])
        #expect(memos.texts == ["A!", "newer"])
        #expect(!memos.list.state.isLoading)
        #expect(memos.pages.ids.count == 4)
    }

    @Test(.rule("A9")) func `a list reloads its full length once when none of its mutations is pending`() async throws {
        let memos = await MemoList.showing("a", "b", next: 2)
        memos.list.loadMore()
        await memos.answer(["c"], next: 3)
        let (first, second) = (await memos.mutate("a"), await memos.mutate("c"))
        await memos.sends.succeed(request: 2, with: nil)
        try await first.value
        #expect(!memos.list.state.isLoading, "A mutation is still pending.")
        memos.sends.succeed(with: nil)
        try await second.value
        #expect(memos.list.state.isLoading)
        #expect(memos.texts == ["a!", "b", "c!"])
        await memos.answer([Memo("a", "1"), Memo("b", "2")], next: 2)
        #expect(memos.list.ids == ["a", "b", "c"])
        await memos.answer([Memo("c", "3")], next: 3)
        #expect(memos.texts == ["1", "2", "3"])
        #expect(memos.pages.ids == [nil, 2, nil, 2])
        #expect(!memos.list.state.isLoading)
    }

    @Test(.rule("A9")) func `a changed item is reloaded by the loader that shows the item, and not by the list`()
        async throws
    {
        let memos = await MemoList.showing("a", "b")
        let loads = LoadStub<String, Memo>()
        let memo = Loader(store: memos.store) { id in try await loads.load(id) }
        memo.load("a")
        await loads.succeed(request: 1, with: Memo("a"))
        await memo.settled()
        let mutation = await memos.mutate("a")
        await memos.sends.succeed(request: 1, with: nil)
        try await mutation.value
        #expect(memo.state.isLoading)
        #expect(!memos.list.state.isLoading)
        await loads.succeed(request: 2, with: Memo("a", "A"))
        await memo.settled()
        #expect(memos.texts == ["A", "b"])
    }

    @Test(.rule("A9")) func `a failed reload does not restart automatically`() async throws {
        let memos = await MemoList.showing("a")
        let mutation = await memos.mutate("a")
        await memos.sends.succeed(request: 1, with: nil)
        try await mutation.value
        await memos.pages.fail(request: 2, with: Failure())
        await memos.list.settled()
        #expect(memos.list.state.error is Failure)
        #expect(memos.texts == ["a!"])
        memos.list.retry()
        await memos.answer(["a"])
        #expect(memos.texts == ["a"])
    }

    @Test(.rule("A9")) func `a reload starts again if a record of its first page is outdated`() async throws {
        let memos = await MemoList.showing("a", next: 1)
        memos.list.loadMore()
        await memos.answer(["b"])
        let other = PagedLoader<Int, Memo>(store: memos.store) { _ in Page([Memo("x")]) }
        other.load()
        await other.settled()
        let change = await memos.mutate("a")
        await memos.sends.succeed(request: 1, with: nil)
        try await change.value
        await memos.pages.requests(atLeast: 3)
        // During the load of the first of two pages, an item of another list changes and moves to
        // this list.
        let mutation = memos.exclaim()
        let elsewhere = Task { try await other.mutate(mutation, of: "x") }
        await memos.sends.succeed(request: 2, with: Memo("x", "x!"))
        try await elsewhere.value
        await memos.answer([Memo("x", "old")], next: 1)
        await memos.pages.requests(atLeast: 4)
        #expect(memos.pages.ids == [nil, 1, nil, nil], "The reload starts again.")
        await memos.answer([Memo("x", "x!!"), Memo("a")])
        #expect(memos.texts == ["x!!", "a"])
    }

    @Test(.rule("A11")) func `a deleted item is hidden at once, and no page brings the item back`() async throws {
        let memos = await MemoList.showing("a", "b")
        let deletion = Mutation<Memo>(.delete) { [sends = memos.sends] key in try await sends.load(key) }
        let mutation = await memos.mutate("a", deletion)
        #expect(memos.list.ids == ["b"])
        #expect(memos.texts == ["b"])
        memos.list.reload()
        await memos.answer(["a", "b"])
        #expect(memos.texts == ["b"])
        await memos.sends.succeed(request: 1, with: nil)
        try await mutation.value
        #expect(memos.texts == ["b"])
        #expect(!memos.list.state.isLoading)
    }

    @Test func `a list resends only its own unconfirmed mutations`() async throws {
        let memos = await MemoList.showing("a", "b")
        let other = PagedLoader<Int, Memo>(store: memos.store) { _ in Page([Memo("x")]) }
        other.load()
        await other.settled()
        let elsewhere = Task { [mutation = memos.exclaim()] in try await other.mutate(mutation, of: "x") }
        await memos.sends.fail(request: 1, with: NoAnswer())
        let mutation = await memos.mutate("b")
        await memos.sends.fail(request: 2, with: NoAnswer())
        await memos.clock.sleepers(atLeast: 2)
        #expect(memos.list.pending(of: "b").map(\.status) == [.unconfirmed])
        memos.list.retryPending()
        await memos.sends.succeed(request: 3, with: Memo("b", "B"))
        try await mutation.value
        #expect(memos.texts == ["a", "B"])
        #expect(memos.sends.ids.count == 3)
        other.retryPending()
        await memos.sends.succeed(request: 4, with: Memo("x", "X"))
        try await elsewhere.value
    }

    @Test func `a list throws notLoaded for an unknown item and before its first load`() async {
        let memos = MemoList()
        #expect(await failure(of: await memos.mutate("a"))?.code == .notLoaded)
        #expect(await failure(of: await memos.insert("a"))?.code == .notLoaded)
        memos.list.load()
        await memos.answer(["a"])
        #expect(await failure(of: await memos.mutate("b"))?.code == .notLoaded)
        #expect(memos.sends.ids.isEmpty)
    }

    @Test func `an item that leaves a list during a mutation does not return with its old value`() async throws {
        let (pages, sends) = (LoadStub<Int?, Page<Int, Memo>>(), LoadStub<IdempotencyKey, Memo?>())
        let list = PagedLoader<Int, Memo> { cursor in try await pages.load(cursor) }
        func answer(_ memos: Memo..., next: Int? = nil) async {
            await pages.requests(atLeast: pages.ids.count + (pages.pending.isEmpty ? 1 : 0))
            await list.hears { pages.succeed(with: Page(memos, next: next)) }
        }
        list.load()
        await answer(Memo("a"), Memo("b"))
        let mutation = Mutation<Memo>(.edit { $0.text += "!" }) { key in
            try await sends.load(key)
        } confirming: {
            $0
        }
        let caller = Task { try await list.mutate(mutation, of: "b") }
        await sends.requests(atLeast: 1)
        list.reload()
        await answer(Memo("a"), next: 1)
        list.loadMore()
        await pages.requests(atLeast: 3)
        sends.succeed(with: Memo("b", "b!"))
        try await caller.value
        // The record was released, and this page can be from before the mutation.
        await answer(Memo("b"))
        #expect(list.items.map(\.text) == ["a"])
        #expect(list.state.isLoading)
        await answer(Memo("a"), next: 1)
        await answer(Memo("b", "b!"))
        #expect(list.items.map(\.text) == ["a", "b!"])
    }

    @Test func `an inserted item is shown at once, only once, and at its position in the loaded list`() async throws {
        let memos = await MemoList.showing("a")
        let insertion = await memos.insert("x")
        #expect(memos.list.ids == ["x", "a"])
        #expect(memos.list.pending(of: "x").map(\.label) == ["insert"])
        memos.list.reload()
        await memos.answer(["a", "x"])
        #expect(memos.list.ids == ["a", "x"], "The server has inserted the item and has not responded yet.")
        memos.list.reload()
        await memos.pages.requests(atLeast: 3)
        await memos.sends.succeed(request: 1, with: Memo("x", "X"))
        try await insertion.value
        #expect(memos.texts == ["a", "X"])
    }

    @Test func `if a list from before the insertion arrives, the inserted item stays`() async throws {
        let memos = await MemoList.showing("a")
        let insertion = await memos.insert("x")
        await memos.sends.requests(atLeast: 1)
        memos.list.reload()
        await memos.pages.requests(atLeast: 2)
        memos.sends.succeed(with: Memo("x", "X"))
        try await insertion.value
        await memos.answer(["a"])
        #expect(memos.texts == ["X", "a"])
        memos.list.reload()
        await memos.answer(["a"])
        #expect(memos.texts == ["a"], "This load began after the insertion, so the item is not part of the list.")
    }

    @Test(.rule("A4")) func `a rejected insertion disappears, even if another list has the item`()
        async
    {
        let memos = await MemoList.showing("a")
        let other = PagedLoader<Int, Memo>(store: memos.store) { _ in Page([Memo("x")]) }
        other.load()
        await other.settled()
        let insertion = await memos.insert("x")
        #expect(memos.texts == ["x", "a"])
        await memos.sends.fail(request: 1, with: Refused())
        _ = await insertion.result
        #expect(memos.texts == ["a"])
        #expect(other.items.map(\.text) == ["x"])
    }

    @Test(.rule("A4")) func `a rejected insertion removes only its own item`() async throws {
        let memos = await MemoList.showing("a")
        let (refused, made) = (await memos.insert("x"), await memos.insert("y"))
        let edit = await memos.mutate("y")
        #expect(memos.texts == ["y!", "x", "a"])
        await memos.sends.fail(request: 2, with: Refused())
        #expect(await failure(of: refused)?.code == .rejected)
        #expect(memos.texts == ["y!", "a"])
        memos.sends.succeed(with: Memo("y", "Y"))
        try await made.value
        #expect(memos.texts == ["Y!", "a"])
        await memos.sends.fail(request: 3, with: Refused())
        _ = await edit.result
        #expect(memos.texts == ["Y", "a"])
    }
}
