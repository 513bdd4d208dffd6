import BackplaneTesting

/// A clock on which every delay takes five minutes, the bound of all delays.
///
/// The delays between retries are random, and a trace must not depend on them.
struct LivenessClock: Clock {
    static let bound = Duration.seconds(300)

    let base: ManualClock

    var now: ManualClock.Instant { base.now }
    var minimumResolution: Duration { base.minimumResolution }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        try await base.sleep(until: max(deadline, now.advanced(by: Self.bound)), tolerance: tolerance)
    }
}
