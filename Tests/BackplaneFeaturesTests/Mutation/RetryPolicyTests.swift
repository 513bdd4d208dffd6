import BackplaneConcurrency
import BackplaneTesting
import TestSupport
import Testing

@testable import BackplaneFeatures

struct RetryPolicyTests {
    @Test func `delays are random below a bound that doubles up to the limit`() {
        let policy = RetryPolicy(count: 100, base: .seconds(1), limit: .seconds(10))
        var generator = SeededGenerator(seed: 1)
        for (attempts, bound) in [(1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (100, 10)] {
            let delays = (0..<1_000).compactMap { _ in policy.delay(after: attempts, using: &generator) }
            #expect(delays.count == 1_000)
            #expect(delays.allSatisfy { (.zero ... .seconds(bound)).contains($0) })
            #expect((delays.max() ?? .zero) > .seconds(bound) * 0.95)
            #expect((delays.min() ?? .zero) < .seconds(bound) * 0.05)
        }
    }

    @Test func `a policy has no delay after its last retry`() {
        var generator = SeededGenerator(seed: 1)
        #expect(RetryPolicy(count: 2).delay(after: 2, using: &generator) != nil)
        #expect(RetryPolicy(count: 2).delay(after: 3, using: &generator) == nil)
        #expect(RetryPolicy.never.delay(after: 1, using: &generator) == nil)
    }
}

/// Retried operations mark the code that they call, so that retries do not multiply (N18).
@MainActor @Suite(.timeLimit(.minutes(5)), .rule("N18")) struct RetryingTests {
    @Test func `a mutation is marked as retried`() async throws {
        var isRetried: Bool?
        let store = RecordStore<Int, String>()
        let loader = Loader(store: store) { id in "\(id)" }
        loader.load(1)
        await loader.settled()
        let change = Mutation<String>(.edit { $0 += "!" }) { _ in
            isRetried = Retrying.isUnderWay
        } confirming: { _ in
            "1!"
        }
        try await loader.mutate(change)
        #expect(isRetried == true)
    }

    @Test(arguments: [0, 1])
    func `a load is marked as retried only if its policy has retries`(count: Int) async {
        var isRetried: Bool?
        let store = RecordStore<Int, String>(loadRetries: RetryPolicy(count: count))
        let loader = Loader(store: store) { id in
            isRetried = Retrying.isUnderWay
            return "\(id)"
        }
        loader.load(1)
        await loader.settled()
        #expect(isRetried == (count > 0))
    }

    @Test func `a shared load inside a retried load is marked as retried and does not retry itself`() async {
        let calls = Watched<[Bool]>([])
        let atOnce = RetryPolicy(count: 3, base: .zero, limit: .zero)
        let loads = SharedLoads<Int, String>(retries: atOnce) { _ in
            calls.update { $0.append(Retrying.isUnderWay) }
            throw NoAnswer()
        }
        let loader = Loader(store: RecordStore<Int, String>(loadRetries: atOnce), sharing: loads)
        loader.load(1)
        await loader.settled()
        #expect(calls.value == [true, true, true, true])
    }

    private struct Busy: ServerFailure {
        let isRefusal = false
        let isMissing = false
        let statusCode: Int? = 503
        let reason: String? = nil
        let retryAfter: Duration? = .seconds(60)
    }

    /// Expects a wait of one minute and advances the clock by that minute.
    private func letMinutePass(on clock: ManualClock) async {
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(59))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(1))
    }

    @Test func `a mutation is resent after the delay that the server asks for`() async throws {
        let clock = ManualClock()
        let sends = LoadStub<Int, String>()
        let store = RecordStore<Int, String>(clock: clock)
        let loader = Loader(store: store) { id in "\(id)" }
        loader.load(1)
        await loader.settled()
        let change = Mutation<String>(.edit { $0 += "!" }) { _ in
            try await sends.load(1)
        } confirming: {
            $0
        }
        try loader.enqueue(change)
        await sends.fail(request: 1, with: Busy())
        await letMinutePass(on: clock)
        // The random delay of the first resend.
        clock.advance(by: .milliseconds(500))
        await sends.succeed(request: 2, with: "1!")
        while !loader.pending.isEmpty { await Task.yield() }
    }

    @Test func `a load is retried after the delay that the server asks for`() async {
        let clock = ManualClock()
        let loads = LoadStub<Int, String>()
        let store = RecordStore<Int, String>(
            loadRetries: RetryPolicy(count: 1, base: .zero, limit: .zero),
            clock: clock
        )
        let loader = Loader(store: store) { id in try await loads.load(id) }
        loader.load(1)
        await loads.fail(request: 1, with: Busy())
        await letMinutePass(on: clock)
        await loads.succeed(request: 2, with: "one")
        await loader.settled()
        #expect(loader.value == "one")
    }
}
