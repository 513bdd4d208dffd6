internal import BackplaneConcurrency

/// How often, and after what delay, something is tried again.
///
/// Delays grow exponentially and have *full jitter*: each is random between nothing and its bound, so that clients that lost a
/// server together do not come back to it together.
///
/// An error of `BackplaneNetworking` that brings a `Retry-After` adds that time to the delay, up to an hour.
///
/// Retries do not multiply: a request that is made in a retried operation passes `RetryMiddleware` of `BackplaneNetworking`
/// once each time, and leaves its `RetryBudget` alone.
public struct RetryPolicy: Hashable, Sendable {
    /// How often it is tried again after the first time.
    public var count: Int
    /// The bound of the first delay; it doubles with each.
    public var base: Duration
    /// What no delay exceeds.
    public var limit: Duration

    /// A policy; without arguments, one for requests that people wait for.
    public init(count: Int = 8, base: Duration = .milliseconds(500), limit: Duration = .seconds(30)) {
        self.count = count
        self.base = base
        self.limit = limit
    }

    /// Nothing is tried again.
    public static let never = RetryPolicy(count: 0)

    /// Does `operation` until it succeeds, fails for good, or has been tried often enough.
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
                // Somebody further out tries again.
                guard !Retrying.isUnderWay, !(error is CancellationError), !isFinal(error),
                    let delay = delay(after: attempts, using: &generator)
                else { throw error }
                try await clock.sleep(for: delay + .asked(for: error))
            }
        }
    }

    /// Does `operation` once, of which whoever it calls knows that it may be tried again.
    package func retrying<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ operation: () async throws -> Value
    ) async throws -> Value {
        if count == 0 { return try await operation() }
        return try await Retrying.$isUnderWay.withValue(true) {
            // A closure that captures the caller's actor runs on it; the standard library would run `operation` elsewhere.
            _ = isolation
            return try await operation()
        }
    }

    /// The delay after that many failed attempts; nil if there is to be no other.
    package func delay(after attempts: Int, using generator: inout some RandomNumberGenerator) -> Duration? {
        guard attempts <= count else { return nil }
        // No shift: of what is doubled often enough, only the limit is left.
        var bound = base
        for _ in 1..<max(attempts, 1) where bound < limit { bound += bound }
        return min(bound, limit) * Double.random(in: 0...1, using: &generator)
    }
}

/// An error that says that the server has refused a mutation, and has not carried it out.
///
/// Whatever else a `send` throws leaves open what the server has done: a time-out, a lost connection, a status from 500. So
/// only errors of this kind undo a mutation, unless a ``RecordStore`` is told of others.
///
/// ```swift
/// struct TitleTaken: DefiniteRejection {}
/// ```
public protocol DefiniteRejection: Error {}
