/// A controller that performs the endpoints of one kind of access.
///
/// Code that works with both kinds is generic over the controller. The controller then decides
/// which endpoints the code accepts.
///
/// ```swift
/// func preload<Controller: NetworkController>(
///     _ endpoint: Endpoint<Controller.Access, [Course]>,
///     from controller: Controller
/// ) async throws {
///     cache(try await controller.request(endpoint))
/// }
/// ```
public protocol NetworkController<Access>: Sendable {
    /// The controller for which the endpoints are made; usually this type.
    associatedtype Access

    /// Performs `endpoint` and returns its response.
    ///
    /// - Throws: ``NetworkError``, or `CancellationError` if the task is cancelled.
    func request<Response>(_ endpoint: Endpoint<Access, Response>) async throws -> Response
}

extension NetworkController {
    /// Performs an endpoint that needs an idempotency key, and returns its response.
    ///
    /// ```swift
    /// let purchase = try await account.request(.purchase(product), key: key)
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - key: The key, which is sent in the field `Idempotency-Key`. Use a new key for each
    ///     operation, and the same key for each attempt at one operation.
    /// - Returns: The response.
    /// - Throws: The errors of ``request(_:)``.
    public func request<Response>(
        _ endpoint: IdempotentEndpoint<Access, Response>,
        key: String
    ) async throws -> Response {
        try await request(endpoint.idempotencyKey(key))
    }
}

extension NetworkController {
    /// Performs `endpoint` and returns its response, and where the response comes from.
    ///
    /// ```swift
    /// let (courses, source) = try await account.requestWithSource(.courses)
    /// if case .stale = source { showNote() }
    /// ```
    ///
    /// - Parameter endpoint: The endpoint.
    /// - Returns: The response, and its source: the server, or the cache of the controller.
    /// - Throws: The errors of ``request(_:)``.
    public func requestWithSource<Response>(
        _ endpoint: Endpoint<Access, Response>
    ) async throws -> (value: Response, source: ResponseSource) {
        try await request(endpoint.withSource())
    }
}

extension AuthenticatedNetworkController: NetworkController {
    /// This type, which performs each ``AuthenticatedEndpoint``.
    public typealias Access = Self
}

extension NonAuthenticatedNetworkController: NetworkController {
    /// This type, which performs each ``NonAuthenticatedEndpoint``.
    public typealias Access = Self
}
