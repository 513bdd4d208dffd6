internal import BackplaneConcurrency
public import Foundation
public import HTTPTypes

/// Sends a request again if it failed for a reason that may pass.
///
/// Nothing is retried unless this is among a controller's middlewares:
///
/// ```swift
/// options.middlewares = [RetryMiddleware()]
/// ```
///
/// - **Which requests**: those whose method is idempotent (GET, HEAD, OPTIONS, TRACE, PUT and DELETE; RFC 9110 section
///   9.2.2), and those with an `Idempotency-Key`. Any other may have been carried out although there was no answer.
/// - **Which failures**: no answer (``NetworkError/Code/transportFailed``), and answers with status 408, 429, 502, 503 or
///   504.
/// - **When**: after a time drawn between zero and a bound that doubles with each attempt (full jitter), so that those who
///   failed together do not come back together. If the answer has a `Retry-After`, its time comes on top. A date in it is
///   measured against the answer's own `Date`, so that a server clock that is wrong does no harm.
/// - **How often**: until an attempt succeeds, ``RetryBudget`` or `attempts` is used up, or there is not enough time left to
///   wait; the last failure is then what the request comes to, at once.
///
/// Retries do not multiply: a request that a `RecordStore` or a loader of `BackplaneFeatures` makes, and makes again if it
/// fails, is sent once each time.
///
/// Waiting is on the controller's clock, and ends promptly when the request is cancelled. Each attempt is observed, and an
/// authenticated one carries the token of its own time.
public struct RetryMiddleware: NetworkMiddleware {
    /// Draws how long to wait, between zero and a bound.
    public typealias Jitter = @Sendable (_ bound: Duration) -> Duration

    private let attempts: Int
    private let backoff: Duration
    private let longestBackoff: Duration
    private let budget: RetryBudget
    private let jitter: Jitter

    /// A middleware with a budget for all requests that pass it.
    ///
    /// - Parameters:
    ///   - attempts: how often to send a request at most, the first time included.
    ///   - backoff: the bound for the wait after the first attempt.
    ///   - longestBackoff: what that bound grows to at most; what a server asks for is not bounded by it.
    ///   - budget: how many requests may be repeated; several controllers may share one.
    ///   - jitter: what draws the waits, evenly by default.
    public init(
        attempts: Int = 3,
        backoff: Duration = .milliseconds(500),
        longestBackoff: Duration = .seconds(10),
        budget: RetryBudget = RetryBudget(),
        jitter: @escaping Jitter = { $0 * Double.random(in: 0...1) }
    ) {
        self.attempts = attempts
        self.backoff = backoff
        self.longestBackoff = longestBackoff
        self.budget = budget
        self.jitter = jitter
    }

    /// Sends the request, and again while that is worth it.
    public func intercept(
        _ request: HTTPRequest,
        body: Data?,
        context: NetworkRequestContext,
        next: NetworkMiddleware.Next
    ) async throws -> (HTTPResponse, Data) {
        guard request.isRepeatable, !Retrying.isUnderWay else { return try await next(request, body) }
        var attempt = 1
        var bound = min(backoff, longestBackoff)
        while true {
            let outcome: Result<(HTTPResponse, Data), any Error>
            do {
                let answer = try await next(request, body)
                if !answer.0.mayPass {
                    if answer.0.status.code < 500 { budget.deposit() }
                    return answer
                }
                outcome = .success(answer)
            } catch let error as NetworkError where error.code == .transportFailed {
                outcome = .failure(error)
            }
            let wait = jitter(bound) + ((try? outcome.get())?.0.retryAfter ?? .zero)
            guard attempt < attempts, wait < context.remainingTime, budget.withdraw() else { return try outcome.get() }
            try await context.clock.sleep(for: wait)
            attempt += 1
            bound = min(bound * 2, longestBackoff)
        }
    }
}

extension HTTPRequest {
    /// Whether it may be sent again by somebody who does not know whether it was carried out.
    fileprivate var isRepeatable: Bool { method.isIdempotent || headerFields[.idempotencyKey] != nil }
}

extension HTTPResponse {
    /// Whether another attempt may be answered otherwise.
    fileprivate var mayPass: Bool { [408, 429, 502, 503, 504].contains(status.code) }
}
