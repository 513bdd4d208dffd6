import BackplaneTesting
import ServerLimits
import Testing

@testable import WebHost

@Suite(.timeLimit(.minutes(5)))
struct AlarmTests {
    /// A manual clock that counts the sleeps on it.
    private struct CountingClock: Clock {
        actor Count {
            private(set) var value = 0
            func add() { value += 1 }
        }

        typealias Instant = ManualClock.Instant

        let base = ManualClock()
        let sleeps = Count()

        var now: Instant { base.now }
        var minimumResolution: Swift.Duration { base.minimumResolution }

        func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
            await sleeps.add()
            try await base.sleep(until: deadline, tolerance: tolerance)
        }
    }

    /// An actor with an alarm, and the IDs that were due.
    private actor Bell {
        private let stopwatch: Stopwatch
        private let due: AsyncStream<String>
        private let isDue: AsyncStream<String>.Continuation
        private lazy var alarm = Alarm<String>(stopwatch) { [isDue] in isDue.yield($0) }

        init(_ clock: some Clock<Duration>) {
            stopwatch = Stopwatch(clock)
            (due, isDue) = AsyncStream.makeStream()
        }

        func set(_ id: String, after seconds: Int) { alarm.set(id, at: stopwatch.elapsed() + .seconds(seconds)) }
        func remove(_ id: String) { alarm.remove(id) }
        func stop() { alarm.stop() }

        func nextDue() async -> String? {
            for await id in due { return id }
            return nil
        }
    }

    private let clock = CountingClock()

    @Test func `a deadline that moves with every request has one sleeping task`() async {
        let bell = Bell(clock)
        for number in 0..<1000 { await bell.set("session", after: 1800 + number) }
        await clock.base.sleepers(atLeast: 1)
        #expect(await clock.sleeps.value == 1)
        clock.base.advance(by: .seconds(1800))
        while await clock.sleeps.value < 2 { await Task.yield() }
        clock.base.advance(by: .seconds(999))
        #expect(await bell.nextDue() == "session")
        #expect(await clock.sleeps.value == 2)
    }

    @Test func `deadlines of many IDs share one sleeping task`() async {
        let bell = Bell(clock)
        for number in 0..<1000 { await bell.set("\(number)", after: 1800 + number) }
        await clock.base.sleepers(atLeast: 1)
        #expect(await clock.sleeps.value == 1)
    }

    @Test func `an earlier deadline wakes the task earlier`() async {
        let bell = Bell(clock)
        await bell.set("late", after: 60)
        await bell.set("early", after: 30)
        clock.base.advance(by: .seconds(30))
        #expect(await bell.nextDue() == "early")
        clock.base.advance(by: .seconds(30))
        #expect(await bell.nextDue() == "late")
    }

    @Test func `removed deadlines and deadlines of a stopped alarm are never due`() async {
        let bell = Bell(clock)
        await bell.set("removed", after: 10)
        await bell.set("due", after: 20)
        await bell.remove("removed")
        clock.base.advance(by: .seconds(20))
        #expect(await bell.nextDue() == "due")

        let stopped = Bell(clock)
        await stopped.set("stopped", after: 10)
        await stopped.stop()
        await stopped.set("ignored", after: 10)
        await bell.set("later", after: 10)
        clock.base.advance(by: .seconds(10))
        #expect(await bell.nextDue() == "later")
    }
}
