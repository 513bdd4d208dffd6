/// What a middleware is told about a request besides the request itself.
public struct NetworkRequestContext: Sendable {
    /// The method and path the endpoint declares, without query: safe to log.
    public let endpoint: String

    /// The clock to wait on, which is the controller's.
    public let clock: any Clock<Duration>

    private let deadline: Deadline

    init(endpoint: String, clock: any Clock<Duration>, deadline: Deadline) {
        self.endpoint = endpoint
        self.clock = clock
        self.deadline = deadline
    }

    /// The time that is left for the request, retries and all; it ends with ``NetworkError/Code/timedOut``.
    public var remainingTime: Duration { deadline.remaining }
}
