/// The additional information that a middleware receives about a request.
public struct NetworkRequestContext: Sendable {
    /// The method and the path of the endpoint, without the query: safe to log.
    public let endpoint: String

    /// The clock of the controller, for waiting.
    public let clock: any Clock<Duration>

    /// The attempts of the request.
    let departure: Departure

    let deadline: Deadline

    /// The time that is left for the request, including retries; when it is over, the request fails
    /// with ``NetworkError/Code/timedOut``.
    public var remainingTime: Duration { deadline.remaining }
}
