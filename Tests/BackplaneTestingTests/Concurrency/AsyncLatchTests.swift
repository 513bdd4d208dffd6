import BackplaneTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct AsyncLatchTests {
    @Test func `a waiter at a closed latch waits until the latch opens`() async {
        let latch = AsyncLatch()
        let others = (0..<50).map { index in
            Task {
                await latch.wait()
                return index
            }
        }
        await latch.arrivals(atLeast: 50)
        latch.open()
        for (index, other) in others.enumerated() { #expect(await other.value == index) }
    }

    @Test func `an open latch stays open, and arrivals count while it is open and closed`() async {
        let latch = AsyncLatch()
        await latch.arrivals(atLeast: 0)
        let two = Task { await latch.arrivals(atLeast: 2) }
        let first = Task { await latch.wait() }
        await latch.arrivals(atLeast: 1)
        latch.open()
        await latch.wait()
        await two.value
        await first.value
        await latch.arrivals(atLeast: 2)
    }

    @Test func `wait ignores cancellation`() async {
        let latch = AsyncLatch()
        let waiter = Task {
            await latch.wait()
            return Task.isCancelled
        }
        waiter.cancel()
        await latch.arrivals(atLeast: 1)
        latch.open()
        #expect(await waiter.value)
    }

    @Test func `waitUnlessCancelled throws when cancelled, and other waiters keep waiting`() async throws {
        let latch = AsyncLatch()
        let waiter = Task { try await latch.waitUnlessCancelled() }
        let other = Task { try await latch.waitUnlessCancelled() }
        await latch.arrivals(atLeast: 2)
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        latch.open()
        try await other.value
        try await latch.waitUnlessCancelled()
    }

    @Test func `waitUnlessCancelled throws at once in a cancelled task`() async throws {
        let latch = AsyncLatch()
        let waiter = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await latch.waitUnlessCancelled()
        }
        await #expect(throws: CancellationError.self) { try await waiter.value }
    }

    @Test(.rule("N35")) func `a wait for arrivals ends when its task is cancelled`() async {
        let latch = AsyncLatch()
        let wait = Task { await latch.arrivals(atLeast: 1) }
        wait.cancel()
        await wait.value
    }
}
