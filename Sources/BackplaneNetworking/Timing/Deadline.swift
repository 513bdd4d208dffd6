/// The time that a request has, from the call to the response.
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

    /// The time that is left, zero once there is none.
    var remaining: Duration { max(.zero, timeout - stopwatch.elapsed) }

    /// Runs `operation`, off the caller's actor, until the deadline, of which `timer` tells.
    ///
    /// An operation that ignores its cancellation does not hold up the caller when time runs out; its result is dropped.
    ///
    /// - Throws: what `operation` throws; `NetworkError` when time ran out, and `operation` has been cancelled. When the
    ///   caller was cancelled, `operation` has been cancelled too, and has ended or is out of time.
    func limit<Result: Sendable>(
        by timer: DeadlineTimer,
        _ operation: @escaping @concurrent @Sendable () async throws -> Result
    ) async throws -> Result {
        // The task below might send before it hears of a cancellation that came first.
        try Task.checkCancellation()
        let outcome = Outcome<Result>()
        // A task of its own, since it is to be cancelled and the caller's task is not.
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
        return try await withTaskCancellationHandler {
            try await outcome.value()
        } onCancel: {
            task.cancel()
        }
    }
}

extension Duration {
    private static let longest = 100 * 365 * 86_400.0

    /// A number of seconds from a server or a file, clamped to a hundred years either way; nil if it is not a number.
    ///
    /// `Duration.seconds(_:)` traps on a number that is too large for it, and a clock on an instant that is.
    static func clamped(seconds: Double) -> Duration? {
        seconds.isNaN ? nil : .seconds(min(max(seconds, -longest), longest))
    }
}

/// The time since it was made, on any clock: so that instants of different clocks need not be told apart.
struct Stopwatch: Sendable {
    private let read: @Sendable () -> Duration

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        read = { start.duration(to: clock.now) }
    }

    var elapsed: Duration { read() }
}
