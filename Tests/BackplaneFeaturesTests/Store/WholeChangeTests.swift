import BackplaneTesting
import TestSupport
import Testing

@testable import BackplaneFeatures

/// The values that an observer reads at once, in the turn of the change.
@MainActor @Suite(.timeLimit(.minutes(5))) struct WholeChangeTests {
    private let loads = LoadStub<String, Memo>()
    private let pages = LoadStub<Int?, Page<Int, Memo>>()
    private let sends = LoadStub<IdempotencyKey, Memo?>()
    private let store = RecordStore<String, Memo>(identity: \.id, clock: ManualClock())
    private let list: PagedLoader<Int, Memo>

    init() {
        list = PagedLoader(store: store) { [pages] cursor in try await pages.load(cursor) }
    }

    private func makeLoader() -> Loader<String, Memo> {
        Loader(store: store) { [loads] id in try await loads.load(id) }
    }

    private func showList(_ memos: Memo...) async {
        list.load()
        await answerPage(memos)
    }

    private func answerPage(_ memos: [Memo]) async {
        await pages.requests(atLeast: pages.ids.count + (pages.pending.isEmpty ? 1 : 0))
        await list.hears { pages.succeed(with: Page(memos)) }
    }

    private func show(_ id: String, _ memo: Memo) async -> Loader<String, Memo> {
        let loader = makeLoader()
        loader.load(id)
        await loads.requests(atLeast: loads.ids.count + 1)
        loads.succeed(id, with: memo)
        await loader.settled()
        return loader
    }

    @Test(.rule("A15"), arguments: [false, true])
    func `no observer sees an inserted record without its pending mutations`(isDeletion: Bool) async throws {
        await showList(Memo("a"))
        let old = makeLoader()
        let insertion = Task { [list, sends] in
            try await list.insert(Memo("new"), send: { key in try await sends.load(key) }, confirming: { $0 })
        }
        await sends.requests(atLeast: 1)
        old.load("new")
        await loads.fail(request: 1, with: Failure())
        await old.settled()
        let new = await show("7", Memo("7", "loaded"))
        let change =
            isDeletion
            ? Mutation<Memo>(.delete) { [sends] key in try await sends.load(key) }
            : Mutation<Memo>(.edit { $0.text += "!" }) { [sends] in try await sends.load($0) }
        try list.enqueue(change, of: "new")
        let texts: @MainActor () -> [String] = { [list] in list.items.map(\.text) }
        let inList = Watch({ _ = texts() }, look: texts)
        let inLoader = Watch({ _ = old.value }, look: texts)
        let inOther = Watch({ _ = new.state }, look: texts)
        sends.succeed(with: Memo("7", "made"))
        try await insertion.value
        let whole = isDeletion ? ["a"] : ["loaded!", "a"]
        let seen = inList.seen + inLoader.seen + inOther.seen
        #expect(!inList.seen.isEmpty && !inLoader.seen.isEmpty)
        #expect(seen.allSatisfy { $0 == whole }, "\(seen)")
        #expect(texts() == whole)
        store.reset()
    }

    @Test(.rule("A15")) func `no observer sees a partly applied page`() async {
        let (first, second) = (await show("a", Memo("a", "old")), await show("b", Memo("b", "old")))
        let look: @MainActor () -> [String?] = { [list] in
            [first.value?.text, second.value?.text, list.items.last?.text]
        }
        _ = look()
        let watches = [
            Watch({ _ = first.value }, look: look), Watch({ _ = second.value }, look: look),
            Watch({ _ = list.items }, look: look),
        ]
        list.load()
        #expect(watches[2].seen.count == 1)
        await answerPage([Memo("a", "new"), Memo("b", "new")])
        let seen = watches[0].seen + watches[1].seen + watches[2].seen.dropFirst()
        #expect(seen.count == 3)
        #expect(seen.allSatisfy { $0 == ["new", "new", "new"] }, "\(seen)")
    }

    @Test(.rule("A15")) func `no observer sees a part of the previous session`() async {
        let (first, second) = (await show("a", Memo("a", "old")), await show("b", Memo("b", "old")))
        await showList(Memo("a", "old"))
        let look: @MainActor () -> [String?] = { [list] in
            [first.value?.text, second.value?.text, list.items.last?.text]
        }
        _ = look()
        let watches = [
            Watch({ _ = first.value }, look: look), Watch({ _ = second.value }, look: look),
            Watch({ _ = list.items }, look: look),
        ]
        store.reset()
        let seen = watches.flatMap { $0.seen }
        #expect(seen.count == 3)
        #expect(seen.allSatisfy { $0 == [nil, nil, nil] }, "\(seen)")
    }

    @Test(.rule("A15")) func `100 edits of 1000 items notify each observer only about its items`() async throws {
        let ids = (1...1000).map(String.init)
        let long = PagedLoader<Int, Memo>(store: store) { _ in Page(ids.map { Memo($0) }) }
        let short = PagedLoader<Int, Memo>(store: store) { _ in Page([Memo("0")]) }
        let first = Loader(store: store) { Memo($0) }
        long.load()
        short.load()
        first.load("1")
        await long.settled()
        await short.settled()
        await first.settled()
        let watches = [
            Watch({ _ = long.items }, look: { true }), Watch({ _ = short.items }, look: { true }),
            Watch({ _ = first.value }, look: { true }),
        ]
        for id in ids.prefix(100) {
            let edit = Mutation<Memo>(.edit { $0.text += "!" }, send: { _ in Memo(id, "new") }, confirming: { $0 })
            try long.enqueue(edit, of: id)
        }
        while !store.pendingRecords.isEmpty, !Task.isCancelled { await Task.yield() }
        // Once when it is made, and once when the server has responded.
        #expect(watches.map(\.seen.count) == [200, 0, 2])
    }
}
