import BackplaneTesting

@testable import BackplaneFeatures

/// The item type of the lists in these tests.
struct Memo: Identifiable, Equatable {
    let id: String
    var text: String

    init(_ id: String, _ text: String? = nil) {
        self.id = id
        self.text = text ?? id
    }
}

extension PagedLoader {
    /// Completes the pending page request and returns when the list has received the result.
    func hears(_ answer: () -> Void) async {
        let page = machine.awaitedPage
        answer()
        while let page, machine.awaitedPage == page, !Task.isCancelled { await Task.yield() }
    }
}

/// A list of memos whose loads and sends are completed by the test.
@MainActor final class MemoList {
    let clock = ManualClock()
    let pages = LoadStub<Int?, Page<Int, Memo>>()
    let sends = LoadStub<IdempotencyKey, Memo?>()
    let store: RecordStore<String, Memo>
    let list: PagedLoader<Int, Memo>

    init(staleAfter: Duration? = nil) {
        store = RecordStore(staleAfter: staleAfter, clock: clock)
        list = PagedLoader(store: store) { [pages] cursor in
            MainActor.assertIsolated("A list's closure runs on the list's actor.")
            return try await pages.load(cursor)
        }
    }

    /// Creates a list whose first page has loaded.
    static func showing(_ ids: String..., next: Int? = nil) async -> MemoList {
        let list = MemoList()
        list.list.load()
        await list.answer(ids, next: next)
        return list
    }

    /// Completes the pending request, or the next request if none is pending.
    func answer(_ ids: [String], next: Int? = nil) async {
        await answer(ids.map { Memo($0) }, next: next)
    }

    func answer(_ memos: [Memo], next: Int? = nil) async {
        await pages.requests(atLeast: pages.ids.count + (pages.pending.isEmpty ? 1 : 0))
        await list.hears { pages.succeed(with: Page(memos, next: next)) }
    }

    func exclaim() -> Mutation<Memo> {
        Mutation(.edit { $0.text += "!" }, label: "exclaim") { [sends] key in
            try await sends.load(key)
        } confirming: {
            $0
        }
    }

    /// Starts a mutation and returns when the mutation is visible.
    func mutate(_ id: String, _ mutation: Mutation<Memo>? = nil) async -> Task<Void, any Error> {
        let mutation = mutation ?? exclaim()
        let task = Task { [list] in try await list.mutate(mutation, of: id) }
        await Task {}.value
        return task
    }

    /// Starts an insertion and returns when the memo is visible.
    func insert(_ id: String) async -> Task<Void, any Error> {
        let task = Task { [list, sends] in
            try await list.insert(Memo(id), label: "insert") { key in
                try await sends.load(key)
            } confirming: {
                $0
            }
        }
        await Task {}.value
        return task
    }

    var texts: [String] { list.items.map(\.text) }
}
