import BackplaneTesting
import TestSupport
import Testing

@testable import BackplaneFeatures

/// An object held by a closure.
///
/// Its release shows that the closure is gone and its task has ended.
private final class Token {
    func touch() {}
}

/// The end of a session just before some work of the session begins.
@MainActor @Suite(.timeLimit(.minutes(5))) struct SessionEndTests {
    private let clock = ManualClock()
    private let loads = LoadStub<Int, String>()

    private func showing(_ store: RecordStore<Int, String>) async -> Loader<Int, String> {
        let loader = Loader(store: store) { id in "\(id)" }
        loader.load(1)
        await loader.settled()
        return loader
    }

    @Test(.rule("A14")) func `a mutation that is about to be sent is not sent after the session ends`() async throws {
        var sent = 0
        weak var token: Token?
        let store = RecordStore<Int, String>()
        let loader = await showing(store)
        do {
            let held = Token()
            token = held
            let change = Mutation<String>(.edit { $0 += "!" }) { _ in
                held.touch()
                sent += 1
            }
            try loader.enqueue(change)
        }
        store.reset()
        while token != nil { await Task.yield() }
        #expect(sent == 0)
    }

    @Test(.rule("A14")) func `a queued mutation is not sent if the session ends right after the previous response`()
        async throws
    {
        var sent = 0
        weak var token: Token?
        let store = RecordStore<Int, String>()
        let loader = await showing(store)
        let first = Mutation<String>(.edit { $0 += "!" }) { _ in
            // This task runs next on this actor: after the acknowledgement and before the task that
            // sends the second mutation.
            Task { store.reset() }
        } confirming: { _ in
            "1!"
        }
        do {
            let held = Token()
            token = held
            let second = Mutation<String>(.edit { $0 += "?" }) { _ in
                held.touch()
                sent += 1
            }
            try loader.enqueue(first)
            try loader.enqueue(second)
        }
        while token != nil { await Task.yield() }
        #expect(sent == 0)
    }

    @Test(.rule("A14"))
    func `a response of the previous session does not confirm the same mutation in the next session`() async throws {
        let (latch, never) = (AsyncLatch(), AsyncLatch())
        var sent = 0
        let store = RecordStore<Int, String>()
        let loader = await showing(store)
        let change = Mutation<String>(.edit { $0 += "!" }) { _ in
            sent += 1
            // Ignores its cancellation.
            if sent == 1 { await latch.wait() } else { try await never.waitUnlessCancelled() }
        }
        try loader.enqueue(change)
        await latch.arrivals(atLeast: 1)
        store.reset()
        loader.load(1)
        await loader.settled()
        try loader.enqueue(change)
        while sent < 2 { await Task.yield() }
        latch.open()
        for _ in 0..<100 { await Task.yield() }
        #expect(loader.pending.map(\.status) == [.sending])
        store.reset()
    }

    @Test(.rule("A14")) func `if the session ends at the end of the retry delay, the load is not retried`() async {
        weak var token: Token?
        do {
            let held = Token()
            token = held
            let store = RecordStore<Int, String>(loadRetries: RetryPolicy(count: 2), clock: clock)
            let loader = Loader(store: store) { [loads] id in
                held.touch()
                return try await loads.load(id)
            }
            loader.load(1)
            await loads.fail(request: 1, with: NoAnswer())
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(60))
            store.reset()
        }
        while token != nil { await Task.yield() }
        #expect(loads.ids == [1])
    }

    @Test(.rule("A14")) func `if the session ends at the end of the retry delay, the page load is not retried`() async {
        weak var token: Token?
        var asked = 0
        do {
            let held = Token()
            token = held
            let store = RecordStore<String, Memo>(loadRetries: RetryPolicy(count: 2), clock: clock)
            let list = PagedLoader<Int, Memo>(store: store) { _ in
                asked += 1
                held.touch()
                throw NoAnswer()
            }
            list.load()
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(60))
            store.reset()
        }
        while token != nil { await Task.yield() }
        #expect(asked == 1)
    }

    @Test(.rule("A14")) func `a shared load of the previous session throws CancellationError to every caller`() async {
        let server = NextUserServer(failures: 1)
        let loads = SharedLoads(retries: RetryPolicy(count: 2), clock: clock) { (_: Int) in try await server.load() }
        let store = RecordStore<Int, String>()
        let loader = Loader(store: store, sharing: loads)
        loader.load(7)
        let other = Task { try await loads.value(for: 7) }
        while loads.callerCount < 2 { await Task.yield() }
        await clock.sleepers(atLeast: 1)
        store.reset()
        clock.advance(by: .seconds(60))
        await #expect(throws: CancellationError.self) { try await other.value }
        #expect(await server.calls == 1)
        #expect(loads.isIdle)
        // The load of the next session is another load and continues.
        loader.load(7)
        await loader.settled()
        #expect(loader.value == "of the next user")
    }

    @Test(.rule("A14"))
    func `a loader that is not loaded in the next session does not reload a changed record`() async throws {
        var loaded = 0
        let pages = LoadStub<Int?, Page<Int, Memo>>()
        let store = RecordStore<String, Memo>()
        let loader = Loader(store: store) { id in
            loaded += 1
            return Memo(id)
        }
        let list = PagedLoader<Int, Memo>(store: store) { cursor in try await pages.load(cursor) }
        loader.load("a")
        await loader.settled()
        store.reset()
        list.load()
        await pages.succeed(request: 1, with: Page([Memo("a")]))
        await list.settled()
        let change = Mutation<Memo>(.edit { $0.text += "!" }) { _ in
        }
        try await list.mutate(change, of: "a")
        // The list itself reloads the record.
        await pages.succeed(request: 2, with: Page([Memo("a", "!")]))
        await list.settled()
        #expect(loaded == 1)
    }

    @Test(.rule("A14")) func `an invalidation of all shared loads ends the running loads`() async {
        let server = NextUserServer(failures: 2)
        let loads = SharedLoads(retries: RetryPolicy(count: 2), clock: clock) { (_: Int) in try await server.load() }
        let closed = Task { try await loads.value(for: 7) }
        await clock.sleepers(atLeast: 1)
        loads.invalidate(7)
        let open = Task { try await loads.value(for: 8) }
        await clock.sleepers(atLeast: 2)
        loads.invalidateAll()
        clock.advance(by: .seconds(60))
        await #expect(throws: CancellationError.self) { try await closed.value }
        await #expect(throws: CancellationError.self) { try await open.value }
        #expect(await server.calls == 2)
        #expect(loads.isIdle)
    }
}

/// A server that fails the loads of the previous session and completes the loads of the next
/// session.
private actor NextUserServer {
    private(set) var calls = 0
    private let failures: Int

    init(failures: Int) {
        self.failures = failures
    }

    func load() async throws -> String {
        calls += 1
        guard calls > failures else { throw NoAnswer() }
        return "of the next user"
    }
}
