internal import BackplaneFeatures
internal import Foundation

/// The time for the waits of an outbox and for the ages of its operations.
///
/// Within one process it follows a clock that cannot be set, and reads the time of day only at the
/// start. So a clock of the device that is set while the app runs changes nothing (D25).
final class OutboxClock: Sendable {
    /// The time of day at the start, in milliseconds.
    let start: Int64
    private let elapsed: @Sendable () -> Duration
    private let sleep: @Sendable (_ time: Duration) async throws -> Void

    init(now: Date, clock: some Clock<Duration>) {
        start = Int64(now.timeIntervalSince1970 * 1000)
        let origin = clock.now
        elapsed = { origin.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
    }

    /// The current time in milliseconds.
    var now: Int64 { start + elapsed().milliseconds }

    /// Suspends until a time in milliseconds; returns at once if it has passed.
    func sleep(until time: Int64) async throws {
        try await sleep(.milliseconds(time - start))
    }
}
