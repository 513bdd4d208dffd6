public import Foundation

/// How a controller performs requests; what is not set has a sensible default.
///
/// ```swift
/// var options = NetworkOptions()
/// options.timeout = .seconds(10)
/// options.decoder.dateDecodingStrategy = .iso8601
/// options.observe = { observation in logger.info("\(observation)") }
/// let service = try NonAuthenticatedNetworkController(baseURL: url, options: options)
/// ```
public struct NetworkOptions: Sendable {
    /// How long a request may take from the call to the response: waiting for a token, retries and decoding included.
    public var timeout: Duration = .seconds(30)

    /// The largest response to accept, in bytes.
    public var responseLimit = 16 * 1024 * 1024

    /// Whether the base URL may be `http:` on a host other than this machine.
    ///
    /// Tokens and data then travel for anybody on the way to read.
    public var allowsInsecureHTTP = false

    /// What writes JSON bodies, by default with their keys in order: a request that is made twice, with one idempotency key, is
    /// then the same to the byte, as servers may demand.
    ///
    /// Configure it before it is given to a controller, not after.
    public var encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }()

    /// What reads JSON responses.
    ///
    /// Configure it before it is given to a controller, not after.
    public var decoder = JSONDecoder()

    /// What time-outs and the age of tokens are measured with.
    ///
    /// It must be monotonic and go on while the device sleeps, as `ContinuousClock` does. Tests give it the `ManualClock` of
    /// `BackplaneTesting`.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// The steps that every request passes, the outermost first; none by default, so that nothing is retried either.
    ///
    /// ```swift
    /// options.middlewares = [RetryMiddleware()]
    /// ```
    public var middlewares: [any NetworkMiddleware] = []

    /// What the server describes its refusals with, for endpoints that do not say it themselves by
    /// ``Endpoint/errors(as:)``; by default it is not known.
    public var errorType: (any (Error & Decodable).Type)?

    /// The most that answers kept in memory may take up, in bytes; those not used for longest go first.
    ///
    /// Nothing is kept but what endpoints ask for by ``Endpoint/cached(for:)``.
    public var cacheLimit = 4 * 1024 * 1024

    /// A closure that receives every exchange with the server, for logging and measuring.
    ///
    /// Called on any thread, when the exchange has ended. For a request that was out of time this may be after the request
    /// has returned.
    public var observe: (@Sendable (NetworkObservation) -> Void)?

    /// The defaults.
    public init() {}
}
