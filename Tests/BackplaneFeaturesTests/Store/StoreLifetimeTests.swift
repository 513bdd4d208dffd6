import BackplaneTesting
import Testing

@testable import BackplaneFeatures

/// An owner of a store that also performs the store's loads.
@MainActor private final class Owner {
    let store = RecordStore<String, Memo>()

    func load(_ id: String) -> Memo { Memo(id) }
    func send() {}
}

/// The lifetime of the closures that a store receives.
@MainActor @Suite(.timeLimit(.minutes(5))) struct StoreLifetimeTests {
    /// Waits until the condition is true, so that finished tasks can end.
    private func wait(until isOver: () -> Bool) async {
        while !isOver(), !Task.isCancelled { await Task.yield() }
    }

    private func exclaim(_ owner: Owner) -> Mutation<Memo> {
        Mutation(.edit { $0.text += "!" }) { _ in
            owner.send()
        }
    }

    @Test func `a store and the owner captured by its loads do not keep each other alive`() async throws {
        weak var owner: Owner?
        weak var store: RecordStore<String, Memo>?
        weak var loader: Loader<String, Memo>?
        do {
            let made = Owner()
            let page = Loader(store: made.store) { id in made.load(id) }
            (owner, store, loader) = (made, made.store, page)
            page.load("a")
            await page.settled()
            try await page.mutate(exclaim(made))
            await page.settled()
        }
        await wait { owner == nil && store == nil }
        #expect(loader == nil)
        #expect(owner == nil)
        #expect(store == nil)
    }

    @Test func `a store and the owner captured by its shared loads do not keep each other alive`() async throws {
        weak var owner: Owner?
        do {
            let made = Owner()
            let loads = SharedLoads { @MainActor (id: String) in made.load(id) }
            let page = Loader(store: made.store, sharing: loads)
            owner = made
            page.load("a")
            await page.settled()
            try await page.mutate(exclaim(made))
            await page.settled()
        }
        await wait { owner == nil }
        #expect(owner == nil)
    }

    @Test func `a store and the owner captured by its list do not keep each other alive`() async throws {
        weak var owner: Owner?
        do {
            let made = Owner()
            let list = PagedLoader<Int, Memo>(store: made.store) { _ in Page([made.load("a")]) }
            owner = made
            list.load()
            await list.settled()
            try await list.mutate(exclaim(made), of: "a")
            await list.settled()
        }
        await wait { owner == nil }
        #expect(owner == nil)
    }

    @Test func `a load without a loader is cancelled, and nothing is retained`() async {
        weak var owner: Owner?
        let latch = AsyncLatch()
        do {
            let made = Owner()
            let page = Loader(store: made.store) { id in
                try await latch.waitUnlessCancelled()
                return made.load(id)
            }
            owner = made
            page.load("a")
            await latch.arrivals(atLeast: 1)
        }
        await wait { owner == nil }
        #expect(owner == nil)
    }

    @Test func `after a settlement, a lingering load is not joined, even if its loader was released`() async throws {
        let stub = LoadStub<String, Memo>()
        let loads = SharedLoads(linger: .seconds(600), clock: ManualClock()) { @MainActor (id: String) in
            try await stub.load(id)
        }
        let store = RecordStore<String, Memo>()
        let list = PagedLoader<Int, Memo>(store: store) { _ in Page([Memo("a")]) }
        list.load()
        await list.settled()
        do {
            let page = Loader(store: store, sharing: loads)
            page.load("a")
            await stub.requests(atLeast: 1)
        }
        while loads.callerCount > 0 { await Task.yield() }
        let change = Mutation<Memo>(.replace(Memo("a", "new"))) { _ in
        } confirming: {
            Memo("a", "new")
        }
        try await list.mutate(change, of: "a")
        let later = Loader(store: store, sharing: loads)
        later.load("a")
        await stub.requests(atLeast: 2)
        while !stub.pending.isEmpty { stub.succeed(with: Memo("a", "newer")) }
        await later.settled()
        #expect(later.value?.text == "newer")
    }
}
