import BackplaneTesting
import Testing

struct TestingCallers {
    @Test func `a manual clock resumes sleepers when it advances`() async throws {
        let clock = ManualClock()
        let sleeper = Task { try await clock.sleep(for: .seconds(5)) }
        let precise = Task { try await clock.sleep(until: ManualClock.Instant(offset: .seconds(3)), tolerance: .zero) }
        await clock.sleepers(atLeast: 2)
        clock.advance(by: .seconds(5))
        try await sleeper.value
        try await precise.value
        #expect(clock.now == ManualClock.Instant().advanced(by: .seconds(5)))
    }

    @Test func `a latch holds a task until it opens`() async {
        let gate = AsyncLatch()
        let visitor = Task { await gate.wait() }
        await gate.arrivals(atLeast: 1)
        gate.open()
        await visitor.value
    }
}
