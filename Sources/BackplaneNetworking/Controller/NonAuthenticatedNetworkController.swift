public import Foundation

/// Performs requests that need no access token: logging in, refreshing tokens, whatever is public.
///
/// It is a value, safe to share between tasks, and holds no state of its own. It takes only a
/// ``NonAuthenticatedEndpoint``; an endpoint that needs a token does not compile here.
///
/// ```swift
/// struct LoginPerformer {
///     var networking: NonAuthenticatedNetworkController
///
///     func login(using credentials: LoginCredentials) async throws -> NetworkTokens {
///         try await networking.request(.login(credentials))
///     }
/// }
/// ```
public struct NonAuthenticatedNetworkController: Sendable {
    let performer: NetworkRequestPerformer

    /// A controller for the server at `baseURL`.
    ///
    /// - Parameters:
    ///   - baseURL: where the paths of endpoints begin. It must be https unless its host is this machine
    ///     (`localhost`, `127.0.0.0/8`, `::1`) or the options say otherwise.
    ///   - transport: what carries requests.
    ///   - options: how requests are performed.
    /// - Throws: ``NetworkError`` with the code ``NetworkError/Code/insecureBaseURL`` or
    ///   ``NetworkError/Code/invalidBaseURL``.
    public init(
        baseURL: URL,
        transport: any NetworkTransport = URLSessionTransport(),
        options: NetworkOptions = NetworkOptions()
    ) throws {
        performer = NetworkRequestPerformer(
            base: try BaseURL(baseURL, allowsInsecureHTTP: options.allowsInsecureHTTP),
            transport: transport,
            options: options
        )
    }

    /// Performs `endpoint` and returns its response.
    ///
    /// Cancelling the task ends the request promptly. Nothing is retried unless ``NetworkOptions/middlewares`` has a
    /// ``RetryMiddleware``.
    ///
    /// - Throws: ``NetworkError``, or `CancellationError` when the task is cancelled.
    public func request<Response>(_ endpoint: NonAuthenticatedEndpoint<Response>) async throws -> Response {
        try await performer.perform(endpoint, for: PublicScope())
    }

    /// Not available: it exists for the compiler's message.
    ///
    /// Without it the call would not compile either, but the message would speak of the types behind the two kinds.
    @available(
        *,
        unavailable,
        message: """
            an 'AuthenticatedEndpoint' needs an 'AuthenticatedNetworkController'; \
            this controller performs only a 'NonAuthenticatedEndpoint'
            """
    )
    public func request<Response>(_ endpoint: AuthenticatedEndpoint<Response>) async throws -> Response {
        throw NetworkError.signedOut
    }
}
