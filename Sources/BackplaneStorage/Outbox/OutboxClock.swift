internal import Foundation

/// The time for the waits of an outbox and for the ages of its operations.
///
/// Within one process it follows a clock that cannot be set, and reads the time of day only at the
/// start. So a clock of the device that is set while the app runs changes nothing (D25).
final class OutboxClock: Sendable {
    /// The time of day at the start, in milliseconds.
    let start: Int64
    let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration

    init(now: Date, clock: any Clock<Duration>) {
        start = Int64(now.timeIntervalSince1970 * 1000)
        self.clock = clock
        elapsed = Self.stopwatch(clock)
    }

    /// The current time in milliseconds.
    var now: Int64 { start + elapsed().milliseconds }

    private static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
