import BackplaneTesting
import CampusAPI
import Foundation

/// A time that a test moves; the date and the clock of an API move together.
struct TestTime: Sendable {
    private let clock = ManualClock()

    var now: Date { Date(timeIntervalSince1970: 1_000_000_000 + clock.now.offset / .seconds(1)) }

    func advance(by duration: Duration) {
        clock.advance(by: duration)
    }

    /// Suspends until at least `count` tasks sleep.
    func sleepers(atLeast count: Int) async {
        await clock.sleepers(atLeast: count)
    }

    /// Makes an API use this time.
    func drive(_ configuration: inout CampusAPIServer.Configuration) {
        configuration.now = { now }
        configuration.clock = clock
    }
}
