import BackplaneTesting
import Testing

@testable import BackplaneNetworking

/// Tests of the timer with a shared sleeper, as on the system's clock, on a clock that stands
/// still.
@Suite(.timeLimit(.minutes(5)))
struct DeadlineTimerTests {
    private let clock = ManualClock()
    private let expired = Watched<[String]>([])
    private let timer: DeadlineTimer

    init() {
        timer = DeadlineTimer(clock: clock, sharesSleeper: true)
    }

    @discardableResult
    private func schedule(_ name: String, in timeout: Duration) -> @Sendable () -> Void {
        timer.schedule(in: timeout) { [expired] in expired.update { $0.append(name) } }
    }

    @Test func `a single sleeper serves all later deadlines`() async {
        schedule("a", in: .seconds(30))
        await clock.sleepers(atLeast: 1)
        for _ in 0..<100 { schedule("b", in: .seconds(30)) }
        #expect(clock.sleeperCount == 1)
    }

    @Test func `each deadline expires at its time and only once`() async {
        schedule("a", in: .seconds(10))
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(5))
        schedule("b", in: .seconds(10))
        clock.advance(by: .seconds(5))
        await expired.wait { $0 == ["a"] }
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(5))
        await expired.wait { $0 == ["a", "b"] }
    }

    @Test func `a shorter deadline does not wait for longer deadlines`() async {
        schedule("long", in: .seconds(30))
        await clock.sleepers(atLeast: 1)
        schedule("short", in: .seconds(1))
        await clock.sleepers(atLeast: 2)
        clock.advance(by: .seconds(1))
        await expired.wait { $0 == ["short"] }
        await clock.sleepers(atLeast: 2)
        clock.advance(by: .seconds(29))
        await expired.wait { $0 == ["short", "long"] }
    }

    @Test func `a removed deadline does not expire`() async {
        let withdraw = schedule("a", in: .seconds(10))
        schedule("b", in: .seconds(10))
        await clock.sleepers(atLeast: 1)
        withdraw()
        clock.advance(by: .seconds(10))
        await expired.wait { !$0.isEmpty }
        #expect(expired.value == ["b"])
    }

    @Test func `the timer has no sleeper without deadlines and starts a sleeper for the next deadline`() async {
        schedule("a", in: .seconds(1))
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(1))
        await expired.wait { $0 == ["a"] }
        #expect(clock.sleeperCount == 0)
        schedule("b", in: .seconds(1))
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(1))
        await expired.wait { $0 == ["a", "b"] }
    }
}
