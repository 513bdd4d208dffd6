/// The time limit of a request, from the call to the response.
struct Deadline: Sendable {
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    private let timeout: Duration

    init(in timeout: Duration, on clock: any Clock<Duration>) {
        self.clock = clock
        self.timeout = timeout
        stopwatch = Stopwatch(clock)
    }

    var hasPassed: Bool { remaining == .zero }

    /// The error of an operation that was cancelled, by its caller or because the time has ended.
    var error: NetworkError { hasPassed ? .timedOut(after: timeout) : .cancelled }

    /// The remaining time, zero after the deadline.
    var remaining: Duration { max(.zero, timeout - stopwatch.elapsed) }

    /// Runs `operation` off the caller's actor until the deadline, which `timer` reports.
    ///
    /// If `operation` ignores its cancellation, the caller still continues when the time ends. The
    /// late result is discarded.
    ///
    /// - Parameters:
    ///   - timer: The timer.
    ///   - follow: Takes a closure that ends the wait with an error and cancels `operation`, and
    ///     returns a closure that is called when `operation` has ended.
    ///   - operation: The operation.
    /// - Returns: The result of `operation`.
    /// - Throws: The error of `operation`. `NetworkError` if the time ends, after cancelling
    ///   `operation`. If the caller is cancelled, `operation` is cancelled too, and this function
    ///   returns when `operation` ends or the time ends.
    func limit<Result: Sendable>(
        by timer: DeadlineTimer,
        following follow: (@escaping @Sendable (any Error) -> Void) throws -> @Sendable () -> Void = { _ in {} },
        _ operation: @escaping @concurrent @Sendable () async throws -> Result
    ) async throws -> Result {
        // Without this check, the task below could send a request before it learns of an earlier
        // cancellation.
        try Task.checkCancellation()
        let outcome = Outcome<Result>()
        // A separate task, because the timer cancels it and must not cancel the caller's task.
        let task = Task {
            do {
                outcome.settle(.success(try await operation()))
            } catch {
                outcome.settle(.failure(error))
            }
        }
        let withdraw = timer.schedule(in: timeout) {
            outcome.settle(.failure(NetworkError.timedOut(after: timeout)))
            task.cancel()
        }
        defer { withdraw() }
        let forget: @Sendable () -> Void
        do {
            forget = try follow { error in
                outcome.settle(.failure(error))
                task.cancel()
            }
        } catch {
            task.cancel()
            throw error
        }
        defer { forget() }
        return try await withTaskCancellationHandler {
            try await outcome.value()
        } onCancel: {
            task.cancel()
        }
    }
}

extension Duration {
    private static let longest = 100 * 365 * 86_400.0

    /// Returns a number of seconds from a server or a file, clamped to a hundred years; `nil` if it
    /// is not a number.
    ///
    /// `Duration.seconds(_:)` traps on a number that is too large, and a clock traps on an instant
    /// that is too large.
    static func clamped(seconds: Double) -> Duration? {
        seconds.isNaN ? nil : .seconds(min(max(seconds, -longest), longest))
    }
}

/// A stopwatch on any clock, which avoids comparing instants of different clock types.
struct Stopwatch: Sendable {
    private let read: @Sendable () -> Duration

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        read = { start.duration(to: clock.now) }
    }

    var elapsed: Duration { read() }
}
