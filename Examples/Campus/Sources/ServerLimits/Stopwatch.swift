/// The time since its creation on any clock, and sleeps until a time on it.
///
/// A clock whose type is not known has no instants to compare. This type hides them.
package struct Stopwatch: Sendable {
    /// Returns the time since the creation.
    package let elapsed: @Sendable () -> Duration

    /// Sleeps until this time since the creation, and returns at once if it has passed.
    ///
    /// It throws `CancellationError` if the task is cancelled before.
    package let sleep: @Sendable (_ time: Duration) async throws -> Void

    package init(_ clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { time in try await clock.sleep(until: start.advanced(by: time), tolerance: nil) }
    }
}
