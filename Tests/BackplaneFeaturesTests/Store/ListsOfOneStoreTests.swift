import BackplaneTesting
import TestSupport
import Testing

@testable import BackplaneFeatures

/// Two lists of one store whose server assigns its own IDs.
@MainActor @Suite(.timeLimit(.minutes(5))) struct ListsOfOneStoreTests {
    private let pages = LoadStub<Int?, Page<Int, Memo>>()
    private let sends = LoadStub<IdempotencyKey, Memo?>()
    private let store = RecordStore<String, Memo>(identity: \.id, clock: ManualClock())

    private func makeList() -> PagedLoader<Int, Memo> {
        PagedLoader(store: store) { [pages] cursor in try await pages.load(cursor) }
    }

    private func answerPage(_ memos: Memo..., of list: PagedLoader<Int, Memo>) async {
        await pages.requests(atLeast: pages.ids.count + (pages.pending.isEmpty ? 1 : 0))
        await list.hears { pages.succeed(with: Page(memos)) }
    }

    private func insert(in list: PagedLoader<Int, Memo>) async -> Task<Void, any Error> {
        let task = Task { [sends] in
            try await list.insert(Memo("new")) { key in
                try await sends.load(key)
            } confirming: {
                $0
            }
        }
        await sends.requests(atLeast: 1)
        return task
    }

    private func exclaim() -> Mutation<Memo> {
        Mutation {
            $0.text += "!"
        } send: { [sends] key in
            try await sends.load(key)
        } confirming: {
            $0
        }
    }

    @Test(.rule("A17"))
    func `a pending deletion also hides its record in another list under the server's ID`() async throws {
        let (first, second) = (makeList(), makeList())
        first.load()
        await answerPage(Memo("a"), of: first)
        second.load()
        await answerPage(Memo("a"), of: second)
        let insertion = await insert(in: first)
        try first.enqueue(.delete { [sends] key in try await sends.load(key) }, of: "new")
        second.reload()
        await answerPage(Memo("7", "made"), Memo("b"), of: second)
        #expect(first.ids == ["a"])
        #expect(second.ids == ["a"])
        sends.succeed(with: Memo("7", "made"))
        try await insertion.value
        #expect(first.ids == ["a"])
        #expect(second.ids == ["b"])
        await sends.requests(atLeast: 2)
        sends.succeed(with: nil)
        while !store.pendingRecords.isEmpty { await Task.yield() }
        #expect(second.ids == ["b"])
    }

    @Test(.rule("A17")) func `another list shows an inserted record with its pending edit`() async throws {
        let (first, second) = (makeList(), makeList())
        first.load()
        await answerPage(Memo("a"), of: first)
        let insertion = await insert(in: first)
        try first.enqueue(exclaim(), of: "new")
        second.load()
        await answerPage(Memo("7", "made"), Memo("a"), of: second)
        #expect(second.ids == [])
        #expect(second.state.isLoading)
        sends.succeed(with: Memo("7", "made"))
        try await insertion.value
        #expect(second.items.map(\.text) == ["made!", "a"])
        #expect(!second.state.isLoading)
        await sends.requests(atLeast: 2)
        sends.succeed(with: Memo("7", "made!"))
    }

    @Test(.rule("A17"), arguments: [false, true])
    func `a page waits for the insertion of a released list`(isRefused: Bool) async throws {
        var first: PagedLoader<Int, Memo>? = makeList()
        let second = makeList()
        first?.load()
        if let first { await answerPage(Memo("a"), of: first) }
        if let list = first {
            let insertion = await insert(in: list)
            insertion.cancel()
            _ = await insertion.result
        }
        first = nil
        second.load()
        let settled = Task { await second.settled() }
        await answerPage(Memo("7", "made"), of: second)
        #expect(second.state.isLoading)
        if isRefused { sends.fail(with: Refused()) } else { sends.succeed(with: Memo("7", "made")) }
        await settled.value
        #expect(second.ids == ["7"])
    }

    @Test(.rule("A17")) func `a held page follows a record to its new ID`() async throws {
        let (first, second) = (makeList(), makeList())
        first.load()
        await answerPage(Memo("a"), of: first)
        let insertion = await insert(in: first)
        second.load()
        await answerPage(Memo("a"), of: second)
        try first.enqueue(exclaim(), of: "a")
        await sends.requests(atLeast: 2)
        sends.succeed(sends.ids[1], with: Memo("8", "moved"))
        while !first.pending(of: "a").isEmpty { await Task.yield() }
        sends.succeed(with: Memo("7", "made"))
        try await insertion.value
        #expect(second.items == [Memo("8", "moved")])
    }
}
