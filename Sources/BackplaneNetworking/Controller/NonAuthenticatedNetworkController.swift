public import Foundation

/// A controller that performs requests without an access token.
///
/// Use it for logins, refreshes and all public endpoints. It is safe to share between tasks, and
/// copies share one response cache. It accepts only a ``NonAuthenticatedEndpoint``. An endpoint
/// that needs a token does not compile here.
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

    /// Creates a controller for the server at `baseURL`.
    ///
    /// - Parameters:
    ///   - baseURL: The URL that the paths of endpoints extend. It must be https, unless its host
    ///     is this machine (`localhost`, `127.0.0.0/8`, `::1`) or the options allow http.
    ///   - transport: The transport that sends the requests.
    ///   - options: The settings of the controller.
    /// - Throws: ``NetworkError`` with the code ``NetworkError/Code/invalidBaseURL``.
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
    /// Cancelling the task ends the request promptly. Nothing is retried unless
    /// ``NetworkOptions/middlewares`` contains a ``RetryMiddleware``.
    ///
    /// - Throws: ``NetworkError``, or `CancellationError` if the task is cancelled.
    public func request<Response>(_ endpoint: NonAuthenticatedEndpoint<Response>) async throws -> Response {
        try await performer.perform(endpoint, for: PublicScope())
    }

    /// Reports a clear compiler error for an authenticated endpoint.
    ///
    /// Without this function, the compiler's message would name the types behind the two kinds of
    /// endpoint.
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
