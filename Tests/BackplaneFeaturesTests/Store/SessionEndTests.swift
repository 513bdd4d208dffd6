import BackplaneTesting
import TestSupport
import Testing

@testable import BackplaneFeatures

/// Held by a closure, so that a test learns when the closure is gone and its task has ended.
private final class Token {
    func touch() {}
}

/// The end of a session, at the moments at which something of it is about to begin.
@MainActor @Suite(.timeLimit(.minutes(5))) struct SessionEndTests {
    private let clock = ManualClock()
    private let loads = LoadStub<Int, String>()

    private func showing(_ store: RecordStore<Int, String>) async -> Loader<Int, String> {
        let loader = Loader(store: store) { id in "\(id)" }
        loader.load(1)
        await loader.settled()
        return loader
    }

    @Test(.rule("A14")) func `a change that is about to be sent when the session ends is not sent`() async throws {
        var sent = 0
        weak var token: Token?
        let store = RecordStore<Int, String>()
        let loader = await showing(store)
        do {
            let held = Token()
            token = held
            let change = Mutation<String> {
                $0 += "!"
            } send: { _ in
                held.touch()
                sent += 1
            }
            try loader.enqueue(change)
        }
        store.reset()
        while token != nil { await Task.yield() }
        #expect(sent == 0)
    }

    @Test(.rule("A14")) func `the change behind one that is answered right before the session ends is not sent`()
        async throws
    {
        var sent = 0
        weak var token: Token?
        let store = RecordStore<Int, String>()
        let loader = await showing(store)
        let first = Mutation<String> {
            $0 += "!"
        } send: { _ in
            // Runs next on this actor: after the acknowledgement, before the task that sends the second.
            Task { store.reset() }
        } confirming: { _ in
            "1!"
        }
        do {
            let held = Token()
            token = held
            let second = Mutation<String> {
                $0 += "?"
            } send: { _ in
                held.touch()
                sent += 1
            }
            try loader.enqueue(first)
            try loader.enqueue(second)
        }
        while token != nil { await Task.yield() }
        #expect(sent == 0)
    }

    @Test(.rule("A14")) func `a response of the last session does not confirm the same change of the next`()
        async throws
    {
        let (gate, never) = (AsyncLatch(), AsyncLatch())
        var sent = 0
        let store = RecordStore<Int, String>()
        let loader = await showing(store)
        let change = Mutation<String> {
            $0 += "!"
        } send: { _ in
            sent += 1
            // Ignores that it is cancelled.
            if sent == 1 { await gate.wait() } else { try await never.waitUnlessCancelled() }
        }
        try loader.enqueue(change)
        await gate.arrivals(atLeast: 1)
        store.reset()
        loader.load(1)
        await loader.settled()
        try loader.enqueue(change)
        while sent < 2 { await Task.yield() }
        gate.open()
        for _ in 0..<100 { await Task.yield() }
        #expect(loader.pending.map(\.status) == [.sending])
        store.reset()
    }

    @Test(.rule("A14")) func `a load whose pause between two tries ends with the session is not tried again`() async {
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
            await loads.requests(atLeast: 1)
            loads.fail(with: NoAnswer())
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(60))
            store.reset()
        }
        while token != nil { await Task.yield() }
        #expect(loads.ids == [1])
    }

    @Test(.rule("A14")) func `a page whose pause between two tries ends with the session is not tried again`() async {
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

    @Test(.rule("A14")) func `a shared load of the last session ends with cancellation for every caller`() async {
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
        // The load of the next session is another one, and is left alone.
        loader.load(7)
        await loader.settled()
        #expect(loader.value == "of the next user")
    }

    @Test(.rule("A14"))
    func `a loader that the next session has not asked loads nothing for a change that a list has made`()
        async throws
    {
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
        await pages.requests(atLeast: 1)
        pages.succeed(with: Page([Memo("a")]))
        await list.settled()
        let change = Mutation<Memo> {
            $0.text += "!"
        } send: { _ in
        }
        try await list.mutate(change, of: "a")
        // It is the list that looks what has become of it.
        await pages.requests(atLeast: 2)
        pages.succeed(with: Page([Memo("a", "!")]))
        await list.settled()
        #expect(loaded == 1)
    }

    @Test(.rule("A14")) func `invalidating every shared load ends those under way`() async {
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

/// Fails the loads of the last session, and answers those of the next.
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
