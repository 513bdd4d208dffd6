import BackplaneTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct ManualClockTests {
    private let clock = ManualClock()

    @Test func `the time changes only when the test advances it`() {
        #expect(clock.now == ManualClock.Instant())
        clock.advance(by: .seconds(2))
        clock.advance(by: .milliseconds(500))
        #expect(clock.now.offset == .seconds(2.5))
        #expect(ManualClock.Instant().duration(to: clock.now) == .seconds(2.5))
        #expect(ManualClock.Instant().advanced(by: .seconds(1)) < clock.now)
        #expect(clock.minimumResolution == .zero)
    }

    @Test func `a sleeper resumes at its deadline and not before`() async throws {
        let awake = AsyncLatch()
        let nap = Task { [clock] in
            try await clock.sleep(for: .seconds(10))
            #expect(clock.now.offset == .seconds(10))
            await awake.wait()
        }
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(9))
        // This returns only because the sleeper is still asleep.
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(1))
        await awake.arrivals(atLeast: 1)
        awake.open()
        try await nap.value
    }

    @Test func `sleeping until a passed deadline returns at once`() async throws {
        clock.advance(by: .seconds(5))
        try await clock.sleep(until: ManualClock.Instant(offset: .seconds(5)))
        try await clock.sleep(for: .zero)
    }

    @Test func `only a sleeper with a passed deadline or a cancelled task resumes`() async throws {
        let naps = [1, 2, 3, 3].map { seconds in Task { [clock] in try await clock.sleep(for: .seconds(seconds)) } }
        await clock.sleepers(atLeast: 4)
        clock.advance(by: .seconds(2))
        try await naps[0].value
        try await naps[1].value
        naps[2].cancel()
        await #expect(throws: CancellationError.self) { try await naps[2].value }
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(1))
        try await naps[3].value
    }

    @Test func `if a task is cancelled before it sleeps, it does not sleep`() async {
        let task = Task { [clock] in
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: [false, true])
    func `a wait for sleepers ends when its task is cancelled, before or during the wait`(isBefore: Bool) async {
        let begun = AsyncLatch()
        let task = Task { [clock] in
            if isBefore { withUnsafeCurrentTask { $0?.cancel() } } else { begun.open() }
            await clock.sleepers(atLeast: 1)
        }
        if !isBefore {
            await begun.wait()
            task.cancel()
        }
        await task.value
    }

    @Test func `if a cancellation and a deadline come at the same time, a sleeper resumes exactly once`() async {
        for _ in 0..<200 {
            let clock = ManualClock()
            let nap = Task { try await clock.sleep(for: .seconds(1)) }
            await clock.sleepers(atLeast: 1)
            let canceller = Task.detached { nap.cancel() }
            clock.advance(by: .seconds(1))
            await canceller.value
            _ = await nap.result
        }
    }
}
