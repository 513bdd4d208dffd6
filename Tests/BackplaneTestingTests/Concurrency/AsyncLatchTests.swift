import BackplaneTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct AsyncLatchTests {
    @Test func `a waiter at a closed latch waits until the latch opens`() async {
        let gate = AsyncLatch()
        let others = (0..<50).map { index in
            Task {
                await gate.wait()
                return index
            }
        }
        await gate.arrivals(atLeast: 50)
        gate.open()
        for (index, other) in others.enumerated() { #expect(await other.value == index) }
    }

    @Test func `an open latch stays open, and arrivals count while it is open and closed`() async {
        let gate = AsyncLatch()
        await gate.arrivals(atLeast: 0)
        let two = Task { await gate.arrivals(atLeast: 2) }
        let first = Task { await gate.wait() }
        await gate.arrivals(atLeast: 1)
        gate.open()
        await gate.wait()
        await two.value
        await first.value
        await gate.arrivals(atLeast: 2)
    }

    @Test func `wait ignores cancellation`() async {
        let gate = AsyncLatch()
        let waiter = Task {
            await gate.wait()
            return Task.isCancelled
        }
        waiter.cancel()
        await gate.arrivals(atLeast: 1)
        gate.open()
        #expect(await waiter.value)
    }

    @Test func `waitUnlessCancelled throws when cancelled, and other waiters keep waiting`() async throws {
        let gate = AsyncLatch()
        let waiter = Task { try await gate.waitUnlessCancelled() }
        let other = Task { try await gate.waitUnlessCancelled() }
        await gate.arrivals(atLeast: 2)
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        gate.open()
        try await other.value
        try await gate.waitUnlessCancelled()
    }

    @Test func `waitUnlessCancelled throws at once in a cancelled task`() async throws {
        let gate = AsyncLatch()
        let waiter = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await gate.waitUnlessCancelled()
        }
        await #expect(throws: CancellationError.self) { try await waiter.value }
    }

    @Test(.rule("N35")) func `a wait for arrivals ends with its task`() async {
        let gate = AsyncLatch()
        let wait = Task { await gate.arrivals(atLeast: 1) }
        wait.cancel()
        await wait.value
    }
}
