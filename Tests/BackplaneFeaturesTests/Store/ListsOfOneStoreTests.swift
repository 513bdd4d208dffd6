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
            try await list.insert(Memo("new"), send: { key in try await sends.load(key) }, confirming: { $0 })
        }
        await sends.requests(atLeast: 1)
        return task
    }

    private func exclaim() -> Mutation<Memo> {
        Mutation(.edit { $0.text += "!" }, send: { [sends] key in try await sends.load(key) }, confirming: { $0 })
    }

    @Test(.rule("A17"))
    func `a pending deletion hides its record in another list as soon as the server's ID is known`() async throws {
        let (first, second) = (makeList(), makeList())
        first.load()
        await answerPage(Memo("a"), of: first)
        second.load()
        await answerPage(Memo("a"), of: second)
        let insertion = await insert(in: first)
        try first.enqueue(Mutation(.delete) { [sends] key in try await sends.load(key) }, of: "new")
        second.reload()
        await answerPage(Memo("7", "made"), Memo("b"), of: second)
        #expect(first.ids == ["a"])
        #expect(second.ids == ["7", "b"])
        sends.succeed(with: Memo("7", "made"))
        try await insertion.value
        #expect(first.ids == ["a"])
        #expect(second.ids == ["b"])
        await sends.succeed(request: 2, with: nil)
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
        #expect(second.items.map(\.text) == ["made", "a"])
        sends.succeed(with: Memo("7", "made"))
        try await insertion.value
        #expect(second.items.map(\.text) == ["made!", "a"])
        await sends.succeed(request: 2, with: Memo("7", "made!"))
    }
}
