import BackplaneTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct AsyncLatchTests {
    @Test func `who arrives at a closed gate waits until it opens`() async {
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

    @Test func `an open gate stays open`() async {
        let gate = AsyncLatch()
        gate.open()
        await gate.wait()
        gate.open()
        await gate.wait()
    }

    @Test func `arrivals are counted whether the gate is open or closed`() async {
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

    @Test func `waiting ignores cancellation`() async {
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

    @Test func `who waits unless cancelled is let through when the gate opens`() async throws {
        let gate = AsyncLatch()
        let waiter = Task { try await gate.waitUnlessCancelled() }
        await gate.arrivals(atLeast: 1)
        gate.open()
        try await waiter.value
        try await gate.waitUnlessCancelled()
    }

    @Test func `who waits unless cancelled goes when cancelled, and the others wait on`() async throws {
        let gate = AsyncLatch()
        let waiter = Task { try await gate.waitUnlessCancelled() }
        let other = Task { try await gate.waitUnlessCancelled() }
        await gate.arrivals(atLeast: 2)
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        gate.open()
        try await other.value
    }

    @Test func `who is cancelled before waiting does not wait`() async throws {
        let gate = AsyncLatch()
        let (start, waiting) = (AsyncLatch(), AsyncLatch())
        let waiter = Task {
            waiting.open()
            await start.wait()
            try await gate.waitUnlessCancelled()
        }
        await waiting.wait()
        waiter.cancel()
        start.open()
        await #expect(throws: CancellationError.self) { try await waiter.value }
    }
}
