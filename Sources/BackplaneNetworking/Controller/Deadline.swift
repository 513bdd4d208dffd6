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

    /// Runs `operation`, off the caller's actor, until the deadline.
    ///
    /// - Throws: what `operation` throws; `NetworkError` when time ran out, `CancellationError` when the caller was
    ///   cancelled. In both cases `operation` has been cancelled and has ended.
    func limit<Result: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await operation() }
            group.addTask {
                try await clock.sleep(for: timeout)
                return nil
            }
            if let result = try await group.next() ?? nil { return result }
            throw NetworkError.timedOut(after: timeout)
        }
    }
}
