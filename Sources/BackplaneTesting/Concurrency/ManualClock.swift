/// A clock that does not move until a test moves it.
///
/// Time passes only in ``advance(by:)``, which resumes the sleepers whose deadlines have passed.
/// Use it to test a timeout, a grace period or a back-off. First wait until the code under test
/// sleeps (``sleepers(atLeast:)``), then move the clock. Such a test does not wait, and does not
/// depend on the machine's load.
///
/// It is safe to use from any thread. A cancelled sleeping task resumes at once with
/// `CancellationError`.
///
/// ```swift
/// let clock = ManualClock()
/// let nap = Task { try await clock.sleep(for: .seconds(30)) }
/// await clock.sleepers(atLeast: 1)
/// clock.advance(by: .seconds(30))
/// try await nap.value
/// ```
public final class ManualClock: Clock {
    /// A point in the time of a ``ManualClock``: the time that the clock has moved since its
    /// creation.
    public struct Instant: InstantProtocol {
        /// The time since the clock's creation.
        public let offset: Swift.Duration

        /// Creates the instant `offset` after the clock's creation.
        package init(offset: Swift.Duration = .zero) {
            self.offset = offset
        }

        /// Returns the instant `duration` later.
        public func advanced(by duration: Swift.Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// Returns the time from this instant to `other`.
        public func duration(to other: Instant) -> Swift.Duration {
            other.offset - offset
        }

        /// Returns whether `lhs` is the earlier instant.
        public static func < (lhs: Instant, rhs: Instant) -> Bool {
            lhs.offset < rhs.offset
        }
    }

    private struct Sleeper: Sendable {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var now = Instant()
        var nextID = 0
        var sleepers: [Int: Sleeper] = [:]
        /// The sleeps that were cancelled before their registration: `onCancel` may run first.
        var cancelled: Set<Int> = []
    }

    private let state = Watched(State())
    private let onReading: @Sendable () -> Void

    /// Creates a clock at time zero.
    public init() {
        onReading = {}
    }

    /// Creates a clock that calls `onReading` before each read of ``now``.
    package init(onReading: @escaping @Sendable () -> Void) {
        self.onReading = onReading
    }

    /// The current time of the clock.
    public var now: Instant {
        onReading()
        return state.value.now
    }

    /// The resolution, which is zero: the clock is exact.
    public var minimumResolution: Swift.Duration { .zero }

    /// The number of tasks that sleep now.
    package var sleeperCount: Int { state.value.sleepers.count }

    /// Suspends until the clock reaches `deadline`.
    ///
    /// - Parameters:
    ///   - deadline: the time to resume; the method returns at once if it has passed.
    ///   - tolerance: ignored, because the clock is exact.
    /// - Throws: `CancellationError` if the task is cancelled before the deadline.
    public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
        try Task.checkCancellation()
        let id = state.update { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.update { state in
                    if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let sleeper = state.update { state in
                let sleeper = state.sleepers.removeValue(forKey: id)
                if sleeper == nil { state.cancelled.insert(id) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
        state.update { _ = $0.cancelled.remove(id) }
    }

    /// Moves the clock forward and resumes every sleeper whose deadline has passed, earliest first.
    public func advance(by duration: Swift.Duration) {
        let due = state.update { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value)
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Moves the clock to the earliest deadline of a sleeper, and returns whether there was one.
    package func advanceToNextSleeper() -> Bool {
        let current = state.value
        guard let next = current.sleepers.values.map(\.deadline).min() else { return false }
        advance(by: current.now.duration(to: next))
        return true
    }

    /// Suspends until at least `count` tasks sleep on this clock.
    ///
    /// The method also returns when the calling task is cancelled, for example by the test's time
    /// limit.
    public func sleepers(atLeast count: Int) async {
        await state.wait { $0.sleepers.count >= count }
    }
}
