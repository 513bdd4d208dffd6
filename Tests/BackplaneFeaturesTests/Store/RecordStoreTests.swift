import BackplaneTesting
import TestSupport
import Testing

@testable import BackplaneFeatures

private struct Note: Equatable {
    var text: String
    var revision: Int
}

@MainActor @Suite(.timeLimit(.minutes(5))) struct RecordStoreTests {
    private let loads = LoadStub<Int, String>()
    private let sends = LoadStub<IdempotencyKey, Void>()
    private let store = RecordStore<Int, String>(clock: ManualClock())

    private func makeLoader() -> Loader<Int, String> {
        Loader(store: store) { [loads] id in try await loads.load(id) }
    }

    private func exclaim() -> Mutation<String> {
        Mutation(.edit { $0 += "!" }) { [sends] in try await sends.load($0) }
    }

    private func answerLoad(_ id: Int, with value: String, for loader: Loader<Int, String>) async {
        if !loads.pending.contains(id) { await loads.requests(atLeast: loads.ids.count + 1) }
        loads.succeed(id, with: value)
        await loader.settled()
    }

    @Test func `a loader loads, changes and sends nothing after a reset until the next load call`() async throws {
        var asked: [Int] = []
        let store = RecordStore<Int, String>()
        let loader = Loader(store: store) { id in
            asked.append(id)
            return "of Ada"
        }
        loader.load(1)
        await loader.settled()
        store.reset()
        #expect(loader.id == nil)
        store.refresh()
        loader.reload()
        let change = Mutation<String>(
            .edit { _ in
            }
        ) { _ in
            Issue.record("The mutation was sent after the reset.")
        }
        await #expect(throws: FeatureError.self) { try await loader.mutate(change) }
        #expect(throws: FeatureError.self) { try loader.enqueue(change) }
        await loader.settled()
        #expect(asked == [1])
        loader.load(1)
        await loader.settled()
        #expect(loader.id == 1)
        #expect(asked == [1, 1])
    }

    @Test func `a list loads nothing after a reset until the next load call`() async {
        var asked = 0
        let store = RecordStore<String, Memo>()
        let list = PagedLoader<Int, Memo>(store: store) { _ in
            asked += 1
            return Page([Memo("a")])
        }
        list.load()
        await list.settled()
        store.reset()
        store.refresh()
        list.reload()
        await list.settled()
        #expect(asked == 1)
        list.load()
        await list.settled()
        #expect(list.ids == ["a"])
    }

    @Test func `loaders of the same store share a load and its value`() async {
        let (page, badge) = (makeLoader(), makeLoader())
        page.load(1)
        badge.load(1)
        #expect(badge.state.isLoading)
        await answerLoad(1, with: "one", for: page)
        #expect(page.value == "one")
        #expect(badge.value == "one")
        #expect(loads.ids == [1])
    }

    @Test func `a new loader shows a value that is already loaded at once`() async {
        let page = makeLoader()
        page.load(1)
        await answerLoad(1, with: "one", for: page)
        let later = makeLoader()
        later.load(1)
        #expect(later.value == "one")
        later.cancel()
        #expect(later.value == nil, "the load is cancelled, and the loader showed nothing before")
    }

    @Test func `a change in a loader is visible in the other loaders of the store`() async throws {
        let (page, badge) = (makeLoader(), makeLoader())
        page.load(1)
        badge.load(1)
        await answerLoad(1, with: "one", for: badge)
        let mutation = Task { [mutation = exclaim()] in try await page.mutate(mutation) }
        await sends.requests(atLeast: 1)
        #expect(badge.value == "one!")
        #expect(badge.pending.count == 1)
        sends.fail(with: Refused())
        _ = await mutation.result
        #expect(badge.value == "one")
    }

    @Test(.rule("A3")) func `mutations of different records are sent concurrently`() async {
        let (first, second) = (makeLoader(), makeLoader())
        first.load(1)
        second.load(2)
        await answerLoad(1, with: "one", for: first)
        await answerLoad(2, with: "two", for: second)
        let mutations = [first, second].map { loader in
            Task { [mutation = exclaim()] in try await loader.mutate(mutation) }
        }
        await sends.requests(atLeast: 2)
        #expect(sends.pending.count == 2)
        sends.succeed(with: ())
        sends.succeed(with: ())
        for mutation in mutations { _ = await mutation.result }
    }

    @Test(.rule("C4")) func `a load continues while a loader waits, and ends without loaders`() async {
        var page: Loader<Int, String>? = makeLoader()
        var badge: Loader<Int, String>? = makeLoader()
        page?.load(1)
        badge?.load(1)
        await loads.requests(atLeast: 1)
        page?.cancel()
        #expect(badge?.state.isLoading == true)
        page = nil
        #expect(badge?.state.isLoading == true)
        #expect(loads.cancelled.isEmpty)
        badge = nil
        await loads.cancellations(atLeast: 1)
        #expect(loads.cancelled == [1])
    }

    @Test(.rule("C4")) func `a loader that is released while its ID changes waits for no load`() async {
        var page: Loader<Int, String>? = makeLoader()
        page?.load(1)
        await loads.succeed(request: 1, with: "one")
        await page?.settled()
        page?.load(2)
        await loads.requests(atLeast: 2)
        page = nil
        await loads.cancellations(atLeast: 1)
        var badge: Loader<Int, String>? = makeLoader()
        badge?.load(1)
        await loads.requests(atLeast: 3)
        badge = nil
        await loads.cancellations(atLeast: 2)
        #expect(loads.cancelled == [2, 1])
    }

    @Test(.rule("C5", "C11")) func `if a load was cancelled because it had no loaders, it is not joined`() async {
        var page: Loader<Int, String>? = makeLoader()
        page?.load(1)
        await loads.requests(atLeast: 1)
        page = nil
        let badge = makeLoader()
        badge.load(1)
        await loads.requests(atLeast: 2)
        await loads.cancellations(atLeast: 1)
        await answerLoad(1, with: "one", for: badge)
        #expect(badge.value == "one")
    }

    @Test(.rule("C7")) func `a load from before the last settlement is not joined`() async throws {
        let (page, badge) = (makeLoader(), makeLoader())
        page.load(1)
        await answerLoad(1, with: "one", for: page)
        page.reload()
        let mutation = Mutation<String>(.edit { $0 += "!" }) { [sends] key in
            try await sends.load(key)
        } confirming: {
            "one!"
        }
        let caller = Task { try await page.mutate(mutation) }
        await sends.succeed(request: 1, with: ())
        try await caller.value
        badge.load(1)
        await loads.requests(atLeast: 3)
        await answerLoad(1, with: "one!!", for: badge)
        #expect(page.value == "one!!")
        #expect(badge.value == "one!!")
    }

    @Test(.rule("C8")) func `a reload takes over all loaders of the superseded load`() async {
        let (page, badge) = (makeLoader(), makeLoader())
        page.load(1)
        badge.load(1)
        await loads.requests(atLeast: 1)
        page.reload()
        #expect(badge.state.isLoading)
        await loads.requests(atLeast: 2)
        await answerLoad(1, with: "new", for: badge)
        #expect(badge.value == "new")
        #expect(badge.id == 1)
    }

    @Test func `a new session shows no value of the previous session and cancels its work`() async {
        let page = makeLoader()
        page.load(1)
        await answerLoad(1, with: "one", for: page)
        let caller = Task { [mutation = exclaim()] in try await page.mutate(mutation) }
        await sends.requests(atLeast: 1)
        page.reload()
        await loads.requests(atLeast: 2)
        store.reset()
        #expect(await failure(of: caller)?.code == .sessionEnded)
        #expect(page.value == nil)
        #expect(!page.state.isLoading)
        await loads.cancellations(atLeast: 1)
        await sends.cancellations(atLeast: 1)
        page.load(1)
        await loads.requests(atLeast: 3)
        await answerLoad(1, with: "theirs", for: page)
        #expect(page.value == "theirs")
        #expect(page.pending.isEmpty)
    }

    @Test func `records without a loader are released when a session ends`() async {
        var page: Loader<Int, String>? = makeLoader()
        page?.load(1)
        await loads.succeed(request: 1, with: "one")
        await page?.settled()
        page = nil
        store.reset()
        let later = makeLoader()
        later.load(1)
        #expect(later.value == nil)
        later.cancel()
    }

    @Test func `a store decides which errors are rejections`() async {
        struct Status: Error { let code: Int }
        let store = RecordStore<Int, String>(isRejection: { ($0 as? Status)?.code == 404 }, clock: ManualClock())
        let loader = Loader(store: store) { id in "\(id)" }
        loader.load(1)
        await loader.settled()
        for code in [404, 503] {
            let mutation = Mutation<String>(.edit { $0 += "!" }) { _ in throw Status(code: code) }
            try? loader.enqueue(mutation)
        }
        await waitUntil { loader.pending.map(\.status) == [.failed, .unconfirmed] }
        #expect(loader.value == "1!")
    }

    @Test(.rule("A6", "A7")) func `a store reads revisions from the values`() async throws {
        let loads = LoadStub<Int, Note>()
        let sends = LoadStub<IdempotencyKey, Note>()
        let loader = Loader(store: RecordStore(revision: \.revision)) { id in try await loads.load(id) }
        loader.load(1)
        await loads.succeed(request: 1, with: Note(text: "a", revision: 1))
        await loader.settled()
        let mutation = Mutation<Note>(.edit { $0.text += "b" }) { key in
            try await sends.load(key)
        } confirming: {
            $0
        }
        let caller = Task { try await loader.mutate(mutation) }
        await sends.requests(atLeast: 1)
        loader.reload()
        await loads.succeed(request: 2, with: Note(text: "abc", revision: 3))
        await loader.settled()
        #expect(loader.value?.text == "ab")
        sends.succeed(with: Note(text: "ab", revision: 2))
        try await caller.value
        #expect(loader.value == Note(text: "abc", revision: 3))
        #expect(loads.ids.count == 2)
    }

    @Test func `a deleted record has no value`() async throws {
        let page = makeLoader()
        page.load(1)
        await answerLoad(1, with: "one", for: page)
        let deletion = Mutation<String>(.delete) { [sends] key in try await sends.load(key) }
        let caller = Task { try await page.mutate(deletion) }
        await sends.requests(atLeast: 1)
        #expect(page.value == nil)
        sends.succeed(with: ())
        try await caller.value
        #expect(page.value == nil)
        #expect(loads.ids == [1])
    }

    @Test(.rule("A3")) func `only the first and the last of quick changes are sent, and every caller gets an outcome`()
        async throws
    {
        let loader = Loader(store: RecordStore<Int, Note>()) { id in Note(text: "", revision: id) }
        loader.load(1)
        await loader.settled()
        let changes = (1...5).map { number in
            Task {
                let change = Mutation<Note>(.set(\.text, to: "\(number)"), label: "\(number)") { [sends] key in
                    try await sends.load(key)
                } confirming: {
                    Note(text: "\(number)", revision: 2)
                }
                try await loader.mutate(change)
            }
        }
        await sends.requests(atLeast: 1)
        #expect(loader.value?.text == "5")
        #expect(loader.pending.map(\.label) == ["1", "5"])
        sends.succeed(with: ())
        await sends.succeed(request: 2, with: ())
        for change in changes { try await change.value }
        #expect(loader.value?.text == "5")
        #expect(sends.ids.count == 2)
    }
}
