import BackplaneTesting
import Testing

@testable import BackplaneNetworking

/// The timer as it is on the system's clock, on one that stands still.
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

    @Test func `one sleeper serves all who come later`() async {
        schedule("a", in: .seconds(30))
        await clock.sleepers(atLeast: 1)
        for _ in 0..<100 { schedule("b", in: .seconds(30)) }
        #expect(clock.sleeperCount == 1)
    }

    @Test func `each expires in its time, and once`() async {
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

    @Test func `whoever has less time than the others is not made to wait for them`() async {
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

    @Test func `what is withdrawn does not expire`() async {
        let withdraw = schedule("a", in: .seconds(10))
        schedule("b", in: .seconds(10))
        await clock.sleepers(atLeast: 1)
        withdraw()
        clock.advance(by: .seconds(10))
        await expired.wait { !$0.isEmpty }
        #expect(expired.value == ["b"])
    }

    @Test func `with nothing left to wait for nobody sleeps, until somebody comes`() async {
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
