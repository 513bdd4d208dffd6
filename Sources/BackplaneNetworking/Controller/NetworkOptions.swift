public import Foundation

/// The settings of a controller; each has a default value.
///
/// ```swift
/// var options = NetworkOptions()
/// options.timeout = .seconds(10)
/// options.decoder.dateDecodingStrategy = .iso8601
/// options.observe = { observation in logger.info("\(observation)") }
/// let service = try NonAuthenticatedNetworkController(baseURL: url, options: options)
/// ```
public struct NetworkOptions: Sendable {
    /// The time that a request may take, from the call to the response.
    ///
    /// It includes waiting for a token, retries and decoding.
    public var timeout: Duration = .seconds(30)

    /// The size of the largest response body to accept, in bytes.
    public var responseLimit = 16 * 1024 * 1024

    /// Whether the base URL may be `http:` on a host other than this machine.
    ///
    /// With `http:`, anyone on the network path can read the tokens and the data.
    public var allowsInsecureHTTP = false

    /// The encoder of JSON bodies, which sorts keys by default.
    ///
    /// With sorted keys, equal requests have equal bytes. Some servers require this for requests
    /// with the same idempotency key.
    ///
    /// Configure the encoder before you give it to a controller, not after.
    public var encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }()

    /// The decoder of JSON responses.
    ///
    /// Configure the decoder before you give it to a controller, not after.
    public var decoder = JSONDecoder()

    /// The clock that measures timeouts and the age of tokens.
    ///
    /// It must be monotonic and continue while the device sleeps, as `ContinuousClock` does. In
    /// tests, use the `ManualClock` of `BackplaneTesting`.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// The middlewares that every request passes, outermost first.
    ///
    /// The list is empty by default, so nothing is retried.
    ///
    /// ```swift
    /// options.middlewares = [RetryMiddleware()]
    /// ```
    public var middlewares: [any NetworkMiddleware] = []

    /// The type of the server's error bodies, for endpoints without ``Endpoint/errors(as:)``.
    ///
    /// By default it is `nil`, and error bodies are not decoded.
    public var errorType: (any (Error & Decodable).Type)?

    /// The place for cached responses, by default 4 MiB of memory.
    ///
    /// Only the responses of endpoints with ``Endpoint/cached()`` or ``Endpoint/cached(for:)`` are
    /// cached.
    public var cache = ResponseStore.memory()

    /// Whether a cached response without a lifetime of its own is fresh for a tenth of the time
    /// since its last change, up to a day (RFC 9111 section 4.2.2).
    public var usesHeuristicLifetimes = false

    /// The clock on the wall, which is read once for each controller.
    package var date: @Sendable () -> Date = { Date() }

    /// A closure that receives every exchange with the server, for logs and metrics.
    ///
    /// It is called on any thread, after the exchange ends. If the request has timed out, this may
    /// happen after the request has returned.
    public var observe: (@Sendable (NetworkObservation) -> Void)?

    /// Creates options with the default values.
    public init() {}
}
