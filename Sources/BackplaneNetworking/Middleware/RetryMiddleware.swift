internal import BackplaneConcurrency
public import Foundation
public import HTTPTypes

/// A middleware that resends a request after a temporary failure.
///
/// Nothing is retried unless a controller has this middleware:
///
/// ```swift
/// options.middlewares = [RetryMiddleware()]
/// ```
///
/// - **Which requests**: requests with an idempotent method (GET, HEAD, OPTIONS, TRACE, PUT and
///   DELETE; RFC 9110 section 9.2.2), and requests with an `Idempotency-Key`. The server may have
///   processed any other request even if no response arrived.
/// - **Which failures**: no response (``NetworkError/Code/transportFailed``), and responses with
///   status 408, 429, 502, 503 or 504.
/// - **When**: after a random time between zero and a bound that doubles with each attempt (full
///   jitter). So if many clients fail at the same time, they do not return at the same time. The
///   time of a `Retry-After` field is added. A date in that field is compared with the `Date` of
///   the same response, so a wrong server clock does no harm.
/// - **How often**: until an attempt succeeds, the budget or `attempts` is used up, or the
///   remaining time is too short for the wait. The request then ends at once with the last failure.
/// - **Budget**: all requests share it. A retry costs a token, and a successful request earns a
///   fraction of a token. So if a server is down, there are few retries: the tokens of the start,
///   and that fraction of the successful requests. Controllers with copies of one middleware share
///   its budget.
///
/// The server may carry out an attempt and refuse a later one. So if the outcome of an earlier
/// attempt is unknown, the request fails with the error of that attempt (<doc:RequestOutcomes>).
///
/// Retries do not multiply. If a `RecordStore` or a loader of `BackplaneFeatures` repeats a failed
/// request itself, this middleware sends the request once per attempt.
///
/// The wait uses the clock of the controller and ends promptly when the request is cancelled. Each
/// attempt is observed. Each attempt of an authenticated request carries the token that is current
/// at that time.
public struct RetryMiddleware: NetworkMiddleware {
    private let attempts: Int
    private let backoff: Duration
    private let longestBackoff: Duration
    private let budget: RetryBudget
    private let jitter: @Sendable (Duration) -> Duration

    /// Creates a middleware that shares one budget with its copies.
    ///
    /// - Parameters:
    ///   - attempts: The maximum number of times to send a request, including the first.
    ///   - backoff: The bound of the wait after the first attempt.
    ///   - longestBackoff: The maximum of that bound. It does not limit the time that a server asks
    ///     for.
    ///   - reserve: The number of retries that are possible before the first success. It is also
    ///     the maximum of the budget.
    ///   - retriesPerSuccess: The average number of retries for each successful request, with up to
    ///     three decimals.
    ///   - jitter: The closure that chooses the wait, between zero and its argument; uniformly
    ///     random by default.
    public init(
        attempts: Int = 3,
        backoff: Duration = .milliseconds(500),
        longestBackoff: Duration = .seconds(10),
        reserve: Int = 10,
        retriesPerSuccess: Double = 0.1,
        jitter: @escaping @Sendable (_ bound: Duration) -> Duration = { $0 * Double.random(in: 0...1) }
    ) {
        self.attempts = attempts
        self.backoff = backoff
        self.longestBackoff = longestBackoff
        budget = RetryBudget(reserve: reserve, retriesPerSuccess: retriesPerSuccess)
        self.jitter = jitter
    }

    /// Sends the request, and resends it after temporary failures within the limits.
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
            let earlier = context.departure.attempts
            do {
                let response = try await next(request, body)
                // D27: An earlier attempt with the same key may still be in progress.
                let isPending =
                    response.0.status == .conflict && request.hasIdempotencyKey && context.departure.isLost
                guard isPending || response.0.mayPass else {
                    // A cached response says nothing about the server.
                    let isNew = context.departure.attempts > earlier
                    if isNew, response.0.status.kind == .successful { budget.deposit() }
                    return response
                }
                outcome = .success(response)
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
    /// Whether the request may be resent although its first attempt may have been processed.
    fileprivate var isRepeatable: Bool { method.isIdempotent || hasIdempotencyKey }
}

extension HTTPResponse {
    /// Whether another attempt may get another response.
    fileprivate var mayPass: Bool { [408, 429, 502, 503, 504].contains(status.code) }
}
