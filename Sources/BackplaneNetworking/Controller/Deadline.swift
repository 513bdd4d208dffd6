internal import BackplaneConcurrency

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
    /// - Throws: what `operation` throws; `NetworkError` when time ran out, `CancellationError` when the caller was
    ///   cancelled. In both cases `operation` has been cancelled and has ended.
    func limit<Result: Sendable>(
        by timer: DeadlineTimer,
        _ operation: @escaping @concurrent @Sendable () async throws -> Result
    ) async throws -> Result {
        // A task of its own, since it is to be cancelled and the caller's task is not.
        let task = Task(operation: operation)
        let hasPassed = Locked(false)
        let withdraw = timer.schedule(in: timeout) {
            hasPassed.withLock { $0 = true }
            task.cancel()
        }
        defer { withdraw() }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch _ where hasPassed.withLock({ $0 }) {
            throw NetworkError.timedOut(after: timeout)
        }
    }
}
