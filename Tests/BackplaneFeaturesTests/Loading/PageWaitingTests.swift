import BackplaneTesting
import TestSupport
import Testing

@testable import BackplaneFeatures

private typealias Machine = PageStateMachine<Int, String>

/// Returns its argument, because the testing macros expand mutating calls only as arguments.
private func some<T>(_ value: T) -> T { value }

/// A list whose insertions get no response, whose loads hang, and whose server sends unexpected
/// pages.
@MainActor @Suite(.timeLimit(.minutes(5))) struct PageWaitingTests {
    private let pages = LoadStub<Int?, Page<Int, Memo>>()
    private let sends = LoadStub<IdempotencyKey, Memo?>()
    private let store = RecordStore<String, Memo>(identity: \.id, clock: ManualClock())
    private let list: PagedLoader<Int, Memo>

    init() {
        list = PagedLoader(store: store) { [pages] cursor in try await pages.load(cursor) }
    }

    private func answer(_ ids: String..., next: Int? = nil, of list: PagedLoader<Int, Memo>? = nil) async {
        await pages.requests(atLeast: pages.ids.count + (pages.pending.isEmpty ? 1 : 0))
        await (list ?? self.list).hears { pages.succeed(with: Page(ids.map { Memo($0) }, next: next)) }
    }

    /// Inserts a memo whose response is lost.
    private func insertWithoutResponse(_ id: String = "new") async {
        let count = sends.ids.count
        let list = list
        Task { [sends] in
            try await list.insert(Memo(id), send: { key in try await sends.load(key) }, confirming: { $0 })
        }
        await sends.fail(request: count + 1, with: NoAnswer())
        await waitUntil { list.pending(of: id).map(\.status) == [.unconfirmed] }
    }

    @Test(.rule("A19", "A21")) func `a new list shows every item, and an insertion without a response`() async {
        list.load()
        await answer("a")
        await insertWithoutResponse()
        let window = PagedLoader(store: store) { [pages] cursor in try await pages.load(cursor) }
        window.load()
        await answer("b", "a", next: 2, of: window)
        #expect(window.ids == ["b", "a"])
        #expect(!window.state.isLoading)
        window.loadMore()
        await answer("c", of: window)
        #expect(window.ids == ["b", "a", "c"])
    }

    @Test(.rule("A19", "A21")) func `a list loads, pages and reloads while its insertion has no response`()
        async
    {
        list.load()
        await pages.requests(atLeast: 1)
        await insertWithoutResponse()
        await answer("a", next: 1)
        #expect(list.ids == ["new", "a"])
        #expect(!list.state.isLoading)
        list.loadMore()
        await answer("b")
        #expect(list.ids == ["new", "a", "b"])
        list.reload()
        await answer("7", "a")
        // One of both may be the other, and only the inserted item is pending.
        #expect(list.ids == ["new", "7", "a"])
        #expect(list.ids.filter { !list.pending(of: $0).isEmpty } == ["new"])
        list.retryPending()
        await sends.succeed(request: 2, with: Memo("7"))
        await waitUntil { list.pending(of: "new").isEmpty }
        #expect(list.ids == ["7", "a"])
    }

    @Test(.rule("A22")) func `if the first load of a list hangs, a refresh supersedes it`() async {
        list.load()
        await pages.requests(atLeast: 1)
        store.refresh()
        await pages.requests(atLeast: 2)
        await pages.cancellations(atLeast: 1)
        await answer("a")
        #expect(list.ids == ["a"])
    }

    @Test(.rule("A22")) func `a refresh supersedes a hanging load, even if a change has no response`()
        async
    {
        list.load()
        await answer("a")
        await insertWithoutResponse()
        list.reload()
        await pages.requests(atLeast: 2)
        store.refresh()
        await pages.requests(atLeast: 3)
        await pages.cancellations(atLeast: 1)
        await answer("b")
        #expect(list.ids == ["new", "b"])
    }

    @Test(.rule("A25")) func `if two insertions get the same ID, they become one item`() async {
        list.load()
        await answer("a")
        await insertWithoutResponse("x")
        await insertWithoutResponse("y")
        list.retryPending()
        await sends.requests(atLeast: 4)
        for _ in 0..<2 { sends.succeed(with: Memo("7")) }
        while !store.pendingRecords.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(list.ids == ["7", "a"])
    }

    @Test(.rule("A21")) func `a refresh loads, even if the change of an item gets no response`() async throws {
        list.load()
        await answer("a")
        try list.enqueue(Mutation(.delete) { [sends] key in try await sends.load(key) }, of: "a")
        await sends.requests(atLeast: 1)
        store.refresh()
        await answer("a", "b")
        #expect(list.ids == ["b"])
    }

    /// How the load of an item ends without a value.
    enum Ending: CaseIterable { case failure, cancellation, departure }

    @Test(.rule("A21"), arguments: Ending.allCases)
    func `a list loads an item again if it may lack a change and has no new value`(
        ending: Ending
    ) async throws {
        let loads = LoadStub<String, Memo>()
        let loader = Loader(store: store) { id in
            guard ending == .departure else { return try await loads.load(id) }
            // Ignores cancellation, so that a cancelled load does not end.
            return try await Task { try await loads.load(id) }.value
        }
        loader.load("b")
        list.load()
        await pages.requests(atLeast: 1)
        try loader.enqueue(
            Mutation(.edit { $0.text += "!" }, send: { [sends] in try await sends.load($0) }, confirming: { $0 })
        )
        await sends.succeed(request: 1, with: nil)
        await loads.requests(atLeast: 2)
        await answer("a", "b")
        #expect(list.ids == ["a"])
        switch ending {
        case .failure: loads.fail(with: Failure())
        case .cancellation: loader.cancel()
        case .departure: loader.load("a")
        }
        await answer("a", "b")
        #expect(list.ids == ["a", "b"])
    }

    @Test(.rule("A21"), arguments: [false, true])
    func `a list loads an item again if its last loader is released`(
        isReleasedFirst: Bool
    ) async throws {
        let loads = LoadStub<String, Memo>()
        // Ignores cancellation, so that a cancelled load does not end.
        var loader: Loader<String, Memo>? = Loader(store: store) { id in
            try await Task { try await loads.load(id) }.value
        }
        loader?.load("b")
        list.load()
        await pages.requests(atLeast: 1)
        try loader?.enqueue(
            Mutation(.edit { $0.text += "!" }, send: { [sends] in try await sends.load($0) }, confirming: { $0 })
        )
        await sends.succeed(request: 1, with: nil)
        await loads.requests(atLeast: 2)
        weak let released = loader
        if isReleasedFirst { loader = nil }
        await answer("a", "b")
        loader = nil
        #expect(released == nil)
        await pages.requests(atLeast: 2)
        await answer("a", "b")
        #expect(list.ids == ["a", "b"])
        for _ in 0..<500 { await Task.yield() }
        #expect(pages.ids.count == 2)
    }

    /// Has a change of a memo confirmed that no list shows, after the pages under way have begun,
    /// and then lets its loader show another memo.
    private func confirmChange(of id: String) async throws {
        let loads = LoadStub<String, Memo>()
        let loader = Loader(store: store) { id in try await loads.load(id) }
        loader.load(id)
        let count = sends.ids.count
        try loader.enqueue(
            Mutation(.edit { $0.text += "!" }, send: { [sends] in try await sends.load($0) }, confirming: { $0 })
        )
        await sends.requests(atLeast: count + 1)
        sends.succeed(sends.ids[count], with: nil)
        await loads.requests(atLeast: 2)
        loader.load("another")
    }

    @Test(.rule("A21")) func `a list loads an item again that another list has brought in vain before`() async throws {
        let others = LoadStub<Int?, Page<Int, Memo>>()
        let other = PagedLoader(store: store) { cursor in try await others.load(cursor) }
        list.load()
        other.load()
        await pages.requests(atLeast: 1)
        await others.requests(atLeast: 1)
        try await confirmChange(of: "b")
        for memos in [[Memo("b")], [Memo("c")]] {
            await others.requests(atLeast: others.ids.count + (others.pending.isEmpty ? 1 : 0))
            await other.hears { others.succeed(with: Page(memos)) }
        }
        #expect(other.ids == ["c"])
        await answer("a", "b")
        #expect(list.ids == ["a"])
        await pages.requests(atLeast: 2)
        await answer("a", "b")
        #expect(list.ids == ["a", "b"])
    }

    @Test(.rule("A9", "A21")) func `a list loads a hidden item at once although another item is being sent`()
        async throws
    {
        list.load()
        await answer("a")
        try list.enqueue(Mutation(.edit { $0.text += "!" }) { [sends] key in try await sends.load(key) }, of: "a")
        await sends.requests(atLeast: 1)
        list.reload()
        await pages.requests(atLeast: 2)
        try await confirmChange(of: "b")
        await answer("a", "b")
        #expect(list.ids == ["a"])
        await pages.requests(atLeast: 3)
        await answer("a", "b")
        #expect(list.ids == ["a", "b"])
    }

    @Test(.rule("A26")) func `a refresh ends, even if every page is empty and has a cursor`() async {
        var requests = 0
        var isLying = false
        let list = PagedLoader<Int, Memo>(store: store) { cursor in
            requests += 1
            if isLying { return Page([], next: requests < 100 ? 1 : nil) }
            return Page([Memo(cursor == nil ? "a" : "b")], next: cursor == nil ? 1 : nil)
        }
        list.load()
        await list.settled()
        list.loadMore()
        await list.settled()
        isLying = true
        store.refresh()
        await list.settled()
        #expect(requests == 2 + 6)
        #expect(!list.state.isLoading)
        #expect(list.hasMore)
    }
}

/// The same rules without tasks.
struct PageStateMachineWaitingTests {
    private var machine = Machine(logicalClock: LogicalClock())

    private mutating func load(_ purpose: Machine.Purpose, _ ids: [String], next: Int? = nil) throws {
        let request = try #require(some(machine.begin(purpose)))
        #expect(some(machine.finish(request, with: ids, next: next)) == nil)
    }

    /// Refreshes the list with these pages, as far as the list asks for them, and returns how many
    /// it has asked for.
    private mutating func refresh(_ pages: [[String]], endless: Bool = false) throws -> Int {
        var request = try #require(some(machine.begin(.refresh)))
        for number in 1...100 {
            let page = number > pages.count ? [] : pages[number - 1]
            let hasNext = endless || number < pages.count
            guard let next = machine.finish(request, with: page, next: hasNext ? number : nil) else { return number }
            request = next
        }
        return 100
    }

    @Test(.rule("A25")) mutating func `if an item is on two pages, a refresh counts it once`() throws {
        try load(.first, ["a", "b"], next: 1)
        try load(.more, ["c", "d"], next: 2)
        #expect(try refresh([["a", "b"], ["b", "c"], ["d", "e"], ["f"]]) == 3)
        #expect(machine.ids == ["a", "b", "c", "d", "e"])
    }

    @Test(.rule("A25")) mutating func `if an item moves to a later page, a refresh keeps it`() throws {
        try load(.first, ["a", "b"], next: 1)
        #expect(try refresh([["y", "z"], ["a", "b"], ["c", "d"]]) == 2)
        #expect(machine.ids == ["y", "z", "a", "b"])
    }

    @Test(.rule("A25", "A26")) mutating func `a refresh that does not find an item ends after the others`()
        throws
    {
        try load(.first, ["a", "b"], next: 1)
        let pages = [["a", "c"], ["d", "e"], ["f", "g"], ["h", "i"], ["j", "k"]]
        #expect(try refresh(pages) == 4)
        #expect(machine.ids == ["a", "c"])
        #expect(some(machine.begin(.more))?.cursor == 1)
        machine.cancel()
        #expect(try refresh(pages) == 1, "The item was deleted, and no later refresh looks for it.")
    }

    @Test(.rule("A25")) mutating func `a refresh does not look for items that are deleted here`() throws {
        try load(.first, ["a", "b"], next: 1)
        let request = try #require(some(machine.begin(.refresh) { $0 != "b" }))
        #expect(some(machine.finish(request, with: ["a", "c"], next: 1)) == nil)
        #expect(machine.ids == ["a", "c"])
    }

    @Test(.rule("A25")) mutating func `a refresh looks for a renamed item under its new ID`() throws {
        try load(.first, ["a", "b"], next: 1)
        let request = try #require(some(machine.begin(.refresh)))
        machine.rename("b", to: "7")
        #expect(some(machine.finish(request, with: ["a", "7"], next: 1)) == nil)
    }

    @Test(.rule("A21")) mutating func `a cancelled refresh leaves the list as it was`() throws {
        try load(.first, ["a", "b"], next: 1)
        let request = try #require(some(machine.begin(.refresh)))
        _ = try #require(some(machine.finish(request, with: ["x", "y"], next: 2)))
        machine.cancel()
        #expect(machine.ids == ["a", "b"])
        #expect(some(machine.begin(.more))?.cursor == 1)
    }

    @Test(.rule("A26")) mutating func `a list with more and more new items does not grow by its refreshes`() throws {
        try load(.first, ["a"], next: 1)
        var number = 0
        for _ in 0..<5 {
            var request = try #require(some(machine.begin(.refresh)))
            for count in 1...100 {
                number += 1
                guard let next = machine.finish(request, with: ["\(number)"], next: number) else {
                    #expect(count == 4)
                    break
                }
                request = next
            }
            #expect(machine.ids.count == 1)
        }
    }

    @Test(.rule("A21", "A26")) mutating func `a load continues after a page without new items`() throws {
        let first = try #require(some(machine.begin(.first)))
        let second = try #require(some(machine.finish(first, with: [], next: 1)))
        #expect(some(machine.finish(second, with: ["a"], next: 2)) == nil)
        var more = try #require(some(machine.begin(.more)))
        more = try #require(some(machine.finish(more, with: ["a"], next: 3)))
        #expect(some(machine.finish(more, with: ["b"], next: 4)) == nil)
        #expect(machine.ids == ["a", "b"])
        // A cursor that repeats.
        more = try #require(some(machine.begin(.more)))
        for _ in 1..<6 { more = try #require(some(machine.finish(more, with: ["b"], next: 3))) }
        #expect(some(machine.finish(more, with: ["b"], next: 3)) == nil)
        #expect(machine.ids == ["a", "b"])
        #expect(machine.hasMore)
    }

    @Test(.rule("A26")) mutating func `empty pages do not raise the limit of requests for later refreshes`() throws {
        try load(.first, ["a"], next: 1)
        #expect(try refresh([], endless: true) == 4)
        #expect(machine.ids == [])
        #expect(machine.hasMore)
        try load(.more, ["a"], next: 1)
        #expect(try refresh([], endless: true) == 4)
    }

    @Test(.rule("A25")) mutating func `if a record gets the ID of another inserted record, it is shown once`() {
        let (first, second) = (IdempotencyKey(), IdempotencyKey())
        machine.insert("x", by: first)
        machine.insert("y", by: second)
        machine.rename("x", to: "7")
        machine.settleInsertion(of: "7", isMade: true)
        machine.rename("y", to: "7")
        #expect(machine.ids == ["7"])
        machine.settleInsertion(of: "7", isMade: true)
        #expect(machine.ids == ["7"])
        #expect(machine.insertion(of: "7") == nil)
    }

    @Test(.rule("A21")) mutating func `a page is shown together with an insertion that is not settled`() throws {
        machine.insert("x", by: IdempotencyKey())
        try load(.first, ["7", "a"], next: 1)
        #expect(machine.ids == ["x", "7", "a"])
        #expect(!machine.isLoading)
        try load(.more, ["b"])
        machine.rename("x", to: "7")
        machine.settleInsertion(of: "7", isMade: true)
        #expect(machine.ids == ["7", "a", "b"])
    }
}
