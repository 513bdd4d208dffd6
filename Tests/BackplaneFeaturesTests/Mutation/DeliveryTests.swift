import BackplaneConcurrency
import BackplaneTesting
import TestSupport
import Testing

@testable import BackplaneFeatures

/// A delivery of a mutation that the test controls.
private final class StubDelivery: MutationDelivery {
    private struct State: Sendable {
        var progress = MutationProgress()
        var observers: [OwnerCall] = []
        var followers: [StoreSession] = []
    }

    let id: IdempotencyKey
    let survives = true
    private let state = Locked(State())
    private let latch = AsyncLatch()
    /// Whether it fails while it begins, before it notifies, and whether it is saved by then.
    private let failsSaved: Bool?

    init(_ id: IdempotencyKey = IdempotencyKey(), failsSaved: Bool? = nil) {
        self.id = id
        self.failsSaved = failsSaved
    }

    var progress: MutationProgress { state.withLock { $0.progress } }

    func begin(notifying observer: OwnerCall, for follower: StoreSession) {
        state.withLock { state in
            state.observers.append(observer)
            state.followers.append(follower)
            if let failsSaved { (state.progress.isSaved, state.progress.failure) = (failsSaved, Refused()) }
        }
    }

    func isKnown(to follower: StoreSession) -> Bool {
        state.withLock { state in state.followers.contains { $0 === follower } }
    }

    func change(_ change: (inout MutationProgress) -> Void) {
        let observers = state.withLock { state in
            change(&state.progress)
            return state.observers
        }
        OwnerCall.callAll(observers)
    }

    /// Ends with a failure after it was written.
    func fail() {
        change { progress in
            progress.isSaved = true
            progress.failure = Refused()
        }
    }

    /// Ends with a confirmation.
    func finish() {
        change { $0.hasEnded = true }
        latch.open()
    }

    func append(_ text: String, after others: Set<IdempotencyKey> = []) -> Mutation<[String]> {
        Mutation(.edit { $0.append(text) }, id: id, label: text, dependencies: others, delivery: self) { _ in
            try await self.latch.waitUnlessCancelled()
            return .done
        }
    }
}

/// The changes of an outbox that the test controls.
private struct StubbedChanges<ID: Hashable & Sendable, Value>: UnfinishedChanges {
    let fetched: ([IdempotencyKey]) async -> ([UnfinishedChange<ID, Value>], [IdempotencyKey])
    var onObserve: (OwnerCall) -> Void = { _ in }
    var onDismiss: (IdempotencyKey) -> Void = { _ in }

    func fetch(besides failed: [IdempotencyKey]) async -> ([UnfinishedChange<ID, Value>], [IdempotencyKey]) {
        await fetched(failed)
    }

    func observe(_ observer: OwnerCall, of store: StorePresence) { onObserve(observer) }

    func resume() {}

    func dismiss(_ id: IdempotencyKey, in store: StorePresence) { onDismiss(id) }
}

/// Mutations that an outbox delivers.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct DeliveryTests {
    private let loads = LoadStub<Int, [String]>()

    private func loader(_ sender: ChangeSender<Int, [String]>? = nil) -> Loader<Int, [String]> {
        let loads = loads
        return Loader(store: RecordStore(sending: sender)) { (id: Int) in try await loads.load(id) }
    }

    private func answer(_ loader: Loader<Int, [String]>, with texts: [String]) async {
        await loads.succeed(request: loads.ids.count + (loads.pending.isEmpty ? 1 : 0), with: texts)
        await loader.settled()
    }

    @Test(.rule("M10"), arguments: [false, true])
    func `a change is visible when enqueue returns, unless it was not saved`(isSaved: Bool) async throws {
        let loader = loader()
        loader.load(1)
        await answer(loader, with: [])
        let delivery = StubDelivery(failsSaved: isSaved)
        try loader.enqueue(delivery.append("1"))
        #expect(loader.value == (isSaved ? ["1"] : []))
        delivery.fail()
        #expect(loader.pending.map(\.status) == [.failed])
        #expect(loader.value == [])
    }

    @Test(.rule("D42")) func `saved returns when the change is on the disk, also if another ID is shown`() async throws
    {
        let loader = loader()
        loader.load(1)
        await answer(loader, with: [])
        let (delivery, isOver) = (StubDelivery(), Watched(false))
        try loader.enqueue(delivery.append("1"))
        let saving = Task { @MainActor in
            defer { isOver.update { $0 = true } }
            try await loader.saved(delivery.id)
        }
        await Task.yield()
        loader.load(2)
        await answer(loader, with: [])
        delivery.change { $0.status = .sending }
        for _ in 0..<100 { await Task.yield() }
        #expect(!isOver.value)
        delivery.change { $0.isSaved = true }
        try await saving.value
        loader.load(1)
        #expect(loader.pending.map(\.isSaved) == [true])
        // Nothing more to wait for.
        try await loader.saved(delivery.id)
        try await loader.saved(IdempotencyKey())
    }

    @Test(.rule("D42")) func `saved throws the error of a change that could not be saved`() async throws {
        let loader = loader()
        loader.load(1)
        await answer(loader, with: [])
        let (late, early, unsent) = (StubDelivery(), StubDelivery(failsSaved: false), StubDelivery())
        try loader.enqueue(late.append("1"))
        let saving = Task { @MainActor in try await loader.saved(late.id) }
        await Task.yield()
        late.change { $0.failure = Refused() }
        await #expect { try await saving.value } throws: { ($0 as? FeatureError)?.code == .notSaved }
        try loader.enqueue(early.append("2"))
        await #expect { try await loader.saved(early.id) } throws: { ($0 as? FeatureError)?.code == .notSaved }
        // A change that fails with the one it needs was not saved either.
        try loader.enqueue(unsent.append("3", after: [early.id]))
        await #expect { try await loader.saved(unsent.id) } throws: { ($0 as? FeatureError)?.code == .dependencyFailed }
    }

    @Test(.rule("D42")) func `a refused change was saved, and a change in memory is not waited for`() async throws {
        let loader = loader()
        loader.load(1)
        await answer(loader, with: [])
        let delivery = StubDelivery()
        try loader.enqueue(delivery.append("1"))
        delivery.fail()
        await waitUntil { loader.pending.map(\.status) == [.failed] }
        try await loader.saved(delivery.id)
        let latch = AsyncLatch()
        let inMemory = Mutation<[String]>(.edit { $0.append("2") }) { _ in await latch.wait() }
        try loader.enqueue(inMemory)
        try await loader.saved(inMemory.id)
        #expect(loader.pending.last?.isSaved == false)
        latch.open()
    }

    @Test(.rule("D42"), arguments: [false, true])
    func `the wait for the disk ends with its task and with the session`(isReset: Bool) async throws {
        let store = RecordStore<Int, [String]>()
        let loader = Loader(store: store) { [loads] (id: Int) in try await loads.load(id) }
        loader.load(1)
        await answer(loader, with: [])
        let delivery = StubDelivery()
        try loader.enqueue(delivery.append("1"))
        let saving = Task { @MainActor in try await loader.saved(delivery.id) }
        await Task.yield()
        if isReset { store.reset() } else { saving.cancel() }
        let result = await saving.result
        if isReset { return try result.get() }
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(loader.value == ["1"])
    }

    @Test(.rule("R6", "A4"))
    func `a failed mutation is removed everywhere, and so are the mutations that need it`() async throws {
        let loader = loader()
        loader.load(1)
        await answer(loader, with: [])
        let (first, second, needing) = (StubDelivery(), StubDelivery(), StubDelivery())
        try loader.enqueue(first.append("1"))
        try loader.enqueue(second.append("2"))
        try loader.enqueue(needing.append("3", after: [second.id]))
        let inMemory = Mutation<[String]>(.edit { $0.append("4") }, label: "4", after: [second.id]) { _ in }
        try loader.enqueue(inMemory)
        #expect(loader.value == ["1", "2", "3", "4"])

        second.fail()
        await waitUntil { loader.pending.map(\.status) == [.failed, .failed, .failed, .queued] }
        #expect(loader.pending.map(\.label) == ["2", "3", "4", "1"])
        #expect(loader.pending.map(\.error?.code) == [.rejected, .dependencyFailed, .dependencyFailed, nil])
        #expect(loader.pending[1].error?.message.contains("'2'") == true)
        #expect(loader.value == ["1"])

        // This one was never on the disk.
        first.change { $0.failure = Refused() }
        await waitUntil { loader.value == [] }
        #expect(loader.pending.map(\.label) == ["2", "3", "4", "1"])
        #expect(loader.pending.last?.error?.code == .notSaved)
        #expect(loader.pending.map(\.isSaved) == [true, false, false, false])
    }

    @Test(.rule("R6", "A7"))
    func `a load is kept for later while any mutation of the record may have been sent`() async throws {
        let loader = loader()
        loader.load(1)
        await answer(loader, with: ["base"])
        let (first, second) = (StubDelivery(), StubDelivery())
        try loader.enqueue(first.append("1"))
        try loader.enqueue(second.append("2"))
        loader.reload()
        await answer(loader, with: ["newer"])
        #expect(loader.value == ["newer", "1", "2"])

        second.change { $0.isUnsent = false }
        loader.reload()
        await answer(loader, with: ["newer", "2"])
        #expect(loader.value == ["newer", "1", "2"])
    }

    @Test(.rule("R6", "D12"))
    func `a change that ends while a store reads the file is not applied twice`() async throws {
        let delivery = StubDelivery()
        let reads = LoadStub<Int, Void>()
        var observers: [OwnerCall] = []
        let unfinished = StubbedChanges<Int, [String]>(
            fetched: { _ in
                try? await reads.load(0)
                return ([UnfinishedChange(delivery) { (1, delivery.append("a")) }], [])
            },
            onObserve: { observer in observers.append(observer) }
        )
        let loader = loader(ChangeSender(unfinished: unfinished) { _, _, _ in nil })
        loader.load(1)
        await reads.succeed(request: 1, with: ())
        await answer(loader, with: [])
        #expect(loader.value == ["a"])

        // Others have changed the file. While the store reads it, its own change ends.
        for observer in observers { observer() }
        await reads.requests(atLeast: 2)
        delivery.finish()
        await waitUntil { loader.pending.isEmpty }
        #expect(loader.value == ["a"])
        // The store reads again after it has taken over the result of this read.
        for observer in observers { observer() }
        reads.succeed(with: ())
        await reads.requests(atLeast: 3)
        #expect(loader.value == ["a"])
        // A load waits until the store knows what is in the file.
        reads.succeed(with: ())
        await answer(loader, with: ["a"])
        #expect(loader.value == ["a"])
        #expect(loader.pending.isEmpty)
        #expect(loads.ids.count == 2)
    }

    @Test(.rule("R6", "D12"))
    func `if the change of another store ends before this store shows it, this store loads the record`() async throws {
        let delivery = StubDelivery()
        var isThere = false
        var observers: [OwnerCall] = []
        let unfinished = StubbedChanges<Int, [String]>(
            fetched: { _ in (isThere ? [UnfinishedChange(delivery) { (1, delivery.append("a")) }] : [], []) },
            onObserve: { observer in observers.append(observer) }
        )
        let loader = loader(ChangeSender(unfinished: unfinished) { _, _, _ in nil })
        loader.load(1)
        await answer(loader, with: [])
        isThere = true
        delivery.finish()
        for observer in observers { observer() }
        await answer(loader, with: ["a"])
        #expect(loader.value == ["a"])
        #expect(loader.pending.isEmpty)
    }

    @Test(.rule("D21"))
    func `an outbox forgets a failed mutation that the user has seen, and no other one`() async throws {
        var forgotten: [IdempotencyKey] = []
        let (failed, other) = (StubDelivery(), StubDelivery())
        let unfinished = StubbedChanges<Int, [String]>(
            fetched: { _ in ([], []) },
            onDismiss: { id in forgotten.append(id) }
        )
        let loader = loader(ChangeSender(unfinished: unfinished) { _, _, _ in nil })
        loader.load(1)
        await answer(loader, with: [])
        try loader.enqueue(failed.append("1"))
        try loader.enqueue(other.append("2"))
        failed.fail()
        await waitUntil { loader.pending.map(\.status) == [.failed, .queued] }
        loader.dismiss(other.id)
        #expect(forgotten == [])
        loader.dismiss(failed.id)
        #expect(forgotten == [failed.id])
        #expect(loader.pending.map(\.label) == ["2"])
    }

    @Test(.rule("D21"), arguments: [nil, "refused", "confirmed"])
    func `a refused mutation that is sent again is not shown as refused`(
        end: String?
    ) async throws {
        let refused = StubDelivery()
        let again = StubDelivery(refused.id)
        var isReported = false
        var observers: [OwnerCall] = []
        let unfinished = StubbedChanges<Int, [String]>(
            fetched: { failed in
                guard isReported else { return ([], []) }
                #expect(failed == [refused.id])
                // Without an end, the operation has left the file before the store reads it.
                guard end != nil else { return ([], [refused.id]) }
                return ([UnfinishedChange(again) { (1, again.append("a")) }], [])
            },
            onObserve: { observer in observers.append(observer) }
        )
        let loader = loader(ChangeSender(unfinished: unfinished) { _, _, _ in nil })
        loader.load(1)
        await answer(loader, with: [])
        try loader.enqueue(refused.append("a"))
        refused.fail()
        await waitUntil { loader.pending.map(\.status) == [.failed] }

        isReported = true
        if end == "refused" { again.fail() }
        again.finish()
        for observer in observers { observer() }
        await answer(loader, with: ["a"])
        #expect(loader.value == ["a"])
        #expect(loader.pending.map(\.status) == (end == "refused" ? [.failed] : []))
        #expect(loads.ids.count == 2)
    }

    @Test(.rule("A23"))
    func `every list knows the refused insertions of an earlier process`() async throws {
        let refused = StubDelivery()
        refused.fail()
        let unfinished = StubbedChanges<String, Memo>(fetched: { _ in
            let creation = Mutation<Memo>(.replace(Memo("x")), id: refused.id, dependencies: [], delivery: refused) {
                _ in
                .done
            }
            return ([UnfinishedChange(refused, isRefused: true) { ("x", creation) }], [])
        })
        let store = RecordStore<String, Memo>(sending: ChangeSender(unfinished: unfinished) { _, _, _ in nil })
        func makeList() -> PagedLoader<Int, Memo> { PagedLoader(store: store) { _ in Page([Memo("a")]) } }
        let (first, second) = (makeList(), makeList())
        first.load()
        await first.settled()
        #expect(first.ids == ["a"])
        #expect([first, second, makeList()].map(\.failedIDs) == [["x"], ["x"], ["x"]])
        first.dismiss(refused.id, of: "x")
        #expect([first, second, makeList()].map(\.failedIDs) == [[], [], []])
    }

    @Test(.rule("R6"))
    func `the outbox of a store does not keep the store or its actor alive`() async {
        weak var gone: Window?
        let observers = Locked<[OwnerCall]>([])
        do {
            let window = Window()
            gone = window
            await window.open(observers)
        }
        while gone != nil, !Task.isCancelled { await Task.yield() }
        #expect(gone == nil)
        #expect(observers.withLock { $0.count } == 1)
    }
}

/// An actor with a store.
private actor Window {
    private var loader: Loader<Int, [String]>?

    func open(_ observers: Locked<[OwnerCall]>) async {
        let unfinished = StubbedChanges<Int, [String]>(
            fetched: { _ in ([], []) },
            onObserve: { observer in observers.withLock { $0.append(observer) } }
        )
        let store = RecordStore<Int, [String]>(sending: ChangeSender(unfinished: unfinished) { _, _, _ in nil })
        let loader = Loader(store: store) { (_: Int) in [] as [String] }
        loader.load(1)
        await loader.settled()
        self.loader = loader
    }
}
