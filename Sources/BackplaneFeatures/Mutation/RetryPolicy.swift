internal import BackplaneConcurrency

/// The rules for retries: their number and their delays.
///
/// Delays grow exponentially and have *full jitter*: each delay is random between zero and its
/// bound. So if many clients lose a server at the same time, they do not return at the same time.
///
/// An error of `BackplaneNetworking` with a `Retry-After` header adds that time to the delay, at
/// most one hour.
///
/// Retries do not multiply. If an operation is retried, `RetryMiddleware` of `BackplaneNetworking`
/// does not also retry its requests. These requests take nothing from the budget of the middleware.
public struct RetryPolicy: Hashable, Sendable {
    /// The number of retries after the first attempt.
    package let count: Int
    /// The bound of the first delay; it doubles with each retry.
    package let base: Duration
    /// The largest bound of a delay.
    package let limit: Duration

    /// Creates a policy; the default values suit requests that a user waits for.
    public init(count: Int = 8, base: Duration = .milliseconds(500), limit: Duration = .seconds(30)) {
        self.count = count
        self.base = base
        self.limit = limit
    }

    /// A policy without retries.
    public static let never = RetryPolicy(count: 0)

    /// The policy for changes, in memory and in an outbox, which are sent until their outcome is
    /// known.
    package static let changes = RetryPolicy(count: .max, limit: .seconds(300))

    /// Runs `operation` until it succeeds, fails for good, or has no retries left.
    ///
    /// - Throws: the last error of `operation`, or `CancellationError`.
    package func run<Value>(
        on clock: any Clock<Duration>,
        unless isFinal: (any Error) -> Bool,
        _ operation: () async throws -> Value
    ) async throws -> Value {
        var generator = SystemRandomNumberGenerator()
        var attempts = 0
        while true {
            do {
                return try await retrying(operation)
            } catch {
                attempts += 1
                // An outer operation already retries.
                guard !Retrying.isUnderWay, !(error is CancellationError), !isFinal(error),
                    let delay = delay(after: attempts, using: &generator)
                else { throw error }
                try await clock.sleep(for: delay + .asked(for: error))
            }
        }
    }

    /// Runs `operation` once, and tells the code that it calls that an outer operation may retry.
    package func retrying<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ operation: () async throws -> Value
    ) async throws -> Value {
        if count == 0 { return try await operation() }
        return try await Retrying.$isUnderWay.with(true, operation)
    }

    /// Returns the delay after that many failed attempts, or `nil` if no retry is left.
    package func delay(after attempts: Int, using generator: inout some RandomNumberGenerator) -> Duration? {
        attempts <= count ? bound(after: attempts) * Double.random(in: 0...1, using: &generator) : nil
    }

    /// Returns the bound of the delay after that many failed attempts.
    package func bound(after attempts: Int) -> Duration {
        // A loop, because a bit shift overflows after many attempts.
        var bound = base
        for _ in 1..<max(attempts, 1) {
            if bound >= limit { break }
            bound += bound
        }
        return min(bound, limit)
    }
}
