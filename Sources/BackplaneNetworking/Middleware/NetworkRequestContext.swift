/// The information that a middleware gets about a request besides the request itself.
public struct NetworkRequestContext: Sendable {
    /// The method and the path of the endpoint, without the query: safe to log.
    public let endpoint: String

    /// The clock of the controller, for waiting.
    public let clock: any Clock<Duration>

    /// The attempts of the request.
    let departure: Departure

    let deadline: Deadline

    /// The remaining time of the request, including retries; after it the request fails with
    /// ``NetworkError/Code/timedOut``.
    public var remainingTime: Duration { deadline.remaining }
}
