import BackplaneConcurrency
import BackplaneTesting
import TestSupport
import Testing

@testable import BackplaneFeatures

/// A server that completes each load when the test says so, from any thread.
private final class Server: Sendable {
    private struct State {
        var latches: [AsyncLatch] = []
        var results: [Result<String, any Error>?] = []
        var cancelled: Set<Int> = []
    }

    private let state = Locked(State())

    var callCount: Int { state.withLock { $0.latches.count } }
    var cancelled: Set<Int> { state.withLock { $0.cancelled } }

    func load(_ id: String) async throws -> String {
        let (number, latch) = state.withLock { state in
            state.latches.append(AsyncLatch())
            state.results.append(nil)
            return (state.latches.count - 1, state.latches[state.latches.count - 1])
        }
        do {
            try await latch.waitUnlessCancelled()
        } catch {
            _ = state.withLock { $0.cancelled.insert(number) }
            throw error
        }
        return try state.withLock { $0.results[number] }?.get() ?? ""
    }

    func calls(atLeast count: Int) async {
        while callCount < count { await Task.yield() }
    }

    func answer(_ number: Int, _ result: Result<String, any Error>) {
        state.withLock { state in
            state.results[number] = result
            return state.latches[number]
        }.open()
    }
}

private enum Trace {
    @TaskLocal static var id: String?
}

@Suite(.timeLimit(.minutes(5)))
struct SharedLoadsTests {
    private let server = Server()
    private let clock = ManualClock()

    private func loads(
        retries: RetryPolicy = .never,
        linger: Duration? = nil
    ) -> SharedLoads<String, String> {
        SharedLoads(retries: retries, linger: linger, clock: clock, server.load)
    }

    /// Starts `body` and returns when `count` callers wait for the load.
    private func waiting(
        _ loads: SharedLoads<String, String>,
        _ count: Int,
        _ body: @escaping @Sendable () async throws -> String
    ) async -> Task<String, any Error> {
        let task = Task { try await body() }
        while loads.callerCount < count { await Task.yield() }
        return task
    }

    @Test func `callers on any actors share a load`() async throws {
        let loads = loads()
        let ada = await waiting(loads, 1) { try await loads.value(for: "a") }
        let grace = await waiting(loads, 2) { @MainActor in
            let value = try await loads.value(for: "a")
            MainActor.assertIsolated("A caller resumes on its own actor.")
            return value
        }
        await server.calls(atLeast: 1)
        server.answer(0, .success("value"))
        #expect(try await [ada.value, grace.value] == ["value", "value"])
        #expect(server.callCount == 1)
    }

    @Test(.rule("C11")) func `every call after a value or an error starts a new load`() async throws {
        let loads = loads()
        for number in 0..<4 {
            let ada = await waiting(loads, 1) { try await loads.value(for: "a") }
            await server.calls(atLeast: number + 1)
            server.answer(number, number.isMultiple(of: 2) ? .failure(Failure()) : .success("\(number)"))
            let value = try? await ada.value
            #expect(value == (number.isMultiple(of: 2) ? nil : "\(number)"))
        }
        #expect(loads.isIdle)
    }

    @Test(.rule("C2"))
    func `a cancelled caller resumes at once, and the load continues for the other callers`() async throws {
        let loads = loads()
        let ada = await waiting(loads, 1) { try await loads.value(for: "a") }
        let grace = await waiting(loads, 2) { try await loads.value(for: "a") }
        ada.cancel()
        await #expect(throws: CancellationError.self) { try await ada.value }
        await server.calls(atLeast: 1)
        server.answer(0, .success("value"))
        #expect(try await grace.value == "value")
    }

    @Test(.rule("C4", "C5")) func `the last cancelled caller cancels the load, and a later call completes`()
        async throws
    {
        let loads = loads()
        let ada = await waiting(loads, 1) { try await loads.value(for: "a") }
        await server.calls(atLeast: 1)
        ada.cancel()
        await #expect(throws: CancellationError.self) { try await ada.value }
        let grace = await waiting(loads, 1) { try await loads.value(for: "a") }
        await server.calls(atLeast: 2)
        server.answer(1, .success("value"))
        #expect(try await grace.value == "value")
        #expect(server.cancelled == [0])
    }

    @Test func `a cancelled caller starts no load`() async {
        let loads = loads()
        let ada = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await loads.value(for: "a")
        }
        await #expect(throws: CancellationError.self) { try await ada.value }
        #expect(loads.isIdle)
        #expect(server.callCount == 0)
    }

    @Test(.rule("C4")) func `a load lingers for a limited time, and a new caller joins the lingering load`()
        async throws
    {
        let loads = loads(linger: .seconds(5))
        let ada = await waiting(loads, 1) { try await loads.value(for: "a") }
        await server.calls(atLeast: 1)
        ada.cancel()
        _ = await ada.result
        await clock.sleepers(atLeast: 1)
        let grace = await waiting(loads, 1) { try await loads.value(for: "a") }
        server.answer(0, .success("value"))
        #expect(try await grace.value == "value")
        #expect(server.callCount == 1)

        let emmy = await waiting(loads, 1) { try await loads.value(for: "a") }
        await server.calls(atLeast: 2)
        emmy.cancel()
        _ = await emmy.result
        await clock.sleepers(atLeast: 2)
        #expect(!loads.isIdle)
        clock.advance(by: .seconds(5))
        while !loads.isIdle { await Task.yield() }
        while server.cancelled != [1] { await Task.yield() }
    }

    @Test(.rule("C7")) func `a call after an invalidation does not receive the value of an earlier load`() async throws
    {
        let loads = loads()
        let ada = await waiting(loads, 1) { try await loads.value(for: "a") }
        await server.calls(atLeast: 1)
        loads.invalidate("a")
        let grace = await waiting(loads, 2) { try await loads.value(for: "a") }
        await server.calls(atLeast: 2)
        server.answer(0, .success("old"))
        server.answer(1, .success("new"))
        #expect(try await [ada.value, grace.value] == ["old", "new"])
    }

    @Test(.rule("A14")) func `a waiting caller throws CancellationError when all loads are invalidated`() async throws {
        let loads = loads()
        let ada = await waiting(loads, 1) { try await loads.value(for: "a") }
        await server.calls(atLeast: 1)
        loads.invalidateAll()
        let grace = await waiting(loads, 1) { try await loads.value(for: "a") }
        await server.calls(atLeast: 2)
        server.answer(0, .success("old"))
        server.answer(1, .success("new"))
        await #expect(throws: CancellationError.self) { try await ada.value }
        #expect(try await grace.value == "new")
        #expect(loads.isIdle)
    }

    @Test(.rule("C8")) func `a reload moves the waiting callers to its own load without cancelling any caller`()
        async throws
    {
        let loads = loads()
        let ada = await waiting(loads, 1) { try await loads.value(for: "a") }
        await server.calls(atLeast: 1)
        let grace = await waiting(loads, 2) { try await loads.reload("a") }
        await server.calls(atLeast: 2)
        while server.cancelled != [0] { await Task.yield() }
        server.answer(1, .success("new"))
        #expect(try await [ada.value, grace.value] == ["new", "new"])
    }

    @Test(.rule("C9")) func `a caller that reaches its time limit fails, and the load continues for the other callers`()
        async throws
    {
        let loads = loads()
        let ada = await waiting(loads, 1) { try await loads.value(for: "course 7", within: .seconds(2)) }
        let grace = await waiting(loads, 2) { try await loads.value(for: "course 7", within: .seconds(9)) }
        await server.calls(atLeast: 1)
        await clock.sleepers(atLeast: 2)
        clock.advance(by: .seconds(2))
        let error = await #expect(throws: FeatureError.self) { try await ada.value }
        #expect(error?.code == .timedOut)
        #expect(error?.description.contains("'course 7'") == true)
        server.answer(0, .success("value"))
        #expect(try await grace.value == "value")
        // A caller with a result stops measuring time.
        while clock.sleeperCount > 0 { await Task.yield() }
    }

    @Test(.rule("C9")) func `a load is retried with its policy, for any number of waiting callers`() async throws {
        let loads = loads(retries: RetryPolicy(count: 2, base: .seconds(1)))
        let ada = await waiting(loads, 1) { try await loads.value(for: "a") }
        for number in 0..<2 {
            await server.calls(atLeast: number + 1)
            server.answer(number, .failure(Failure()))
            await clock.sleepers(atLeast: 1)
            if number == 0 { _ = await waiting(loads, 2) { try await loads.value(for: "a") } }
            clock.advance(by: .seconds(2))
        }
        await server.calls(atLeast: 3)
        server.answer(2, .failure(Failure()))
        await #expect(throws: Failure.self) { try await ada.value }
        #expect(server.callCount == 3)
    }

    @Test func `a definite rejection is not retried`() async {
        struct Gone: DefiniteRejection {}
        let loads = loads(retries: RetryPolicy(count: 2))
        let ada = await waiting(loads, 1) { try await loads.value(for: "a") }
        await server.calls(atLeast: 1)
        server.answer(0, .failure(Gone()))
        await #expect(throws: Gone.self) { try await ada.value }
        #expect(server.callCount == 1)
    }

    @Test(.rule("C3"))
    func `a load has no task-local values of its first caller and the priority of the most urgent caller`() async {
        let latch = AsyncLatch()
        let loads = SharedLoads { (_: String) in
            let trace = Trace.id
            let early = Task.currentPriority
            await latch.wait()
            // Awaiting the load raises its priority some time after a caller joins.
            while Task.currentPriority < .high { await Task.yield() }
            return (trace, early)
        }
        let first = Task(priority: .low) {
            try await Trace.$id.withValue("the first caller's") { try await loads.value(for: "a") }
        }
        await latch.arrivals(atLeast: 1)
        let second = Task.detached(priority: .high) { try await loads.value(for: "a") }
        latch.open()
        let (trace, early) = (try? await second.value) ?? ("", .background)
        #expect(trace == nil)
        #expect(early == .low)
        // Awaiting the first caller earlier would raise its priority.
        _ = await first.result
    }
}
