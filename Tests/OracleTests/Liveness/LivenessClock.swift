import BackplaneTesting

/// A clock on which every delay takes five minutes, the bound of all delays.
///
/// The delays between retries are random, and a trace must not depend on them. Its time is virtual:
/// only the trace advances it, and no test waits.
struct LivenessClock: Clock {
    static let bound = Duration.seconds(300)

    let manual: ManualClock

    var now: ManualClock.Instant { manual.now }
    var minimumResolution: Duration { manual.minimumResolution }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        try await manual.sleep(until: max(deadline, now.advanced(by: Self.bound)), tolerance: tolerance)
    }
}
