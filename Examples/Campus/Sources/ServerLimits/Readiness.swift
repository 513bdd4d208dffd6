/// The answer to a load balancer that asks whether to send users here.
///
/// Anybody can ask, and a check writes to the disk. So at most one check runs at a time, and a good
/// answer is kept for a second.
package actor Readiness {
    private let stopwatch: Stopwatch
    private let check: @Sendable () async -> String?
    private var running: Task<String?, Never>?
    private var lastSuccess: Duration?

    /// Creates an answer that is not known yet.
    ///
    /// - Parameters:
    ///   - stopwatch: measures the time.
    ///   - check: returns the reason why no users should come; `nil` if there is none.
    package init(_ stopwatch: Stopwatch, check: @escaping @Sendable () async -> String?) {
        self.stopwatch = stopwatch
        self.check = check
    }

    /// The reason why no users should come; `nil` if there is none.
    package var problem: String? {
        get async {
            if let running { return await running.value }
            if let lastSuccess, stopwatch.elapsed() < lastSuccess + .seconds(1) { return nil }
            let task = Task { [check] in await check() }
            running = task
            let problem = await task.value
            running = nil
            lastSuccess = problem == nil ? stopwatch.elapsed() : nil
            return problem
        }
    }
}
