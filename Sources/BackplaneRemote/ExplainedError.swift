internal import BackplaneConcurrency
public import BackplaneNetworking
public import Foundation

/// An error of a request, in words for the user.
///
/// A controller that explains its errors throws it: see `explaining(_:)`. A
/// screen shows `localizedDescription` and does not depend on the network.
///
/// The error keeps the outcome of the request. So it undoes a mutation, delays a retry and marks a
/// value as missing in the same cases as its ``cause``.
public struct ExplainedError: LocalizedError {
    /// The text for the user.
    public let message: String

    /// The error of the request.
    public let cause: NetworkError

    /// Creates an error with a text for the user.
    public init(_ message: String, cause: NetworkError) {
        self.message = message
        self.cause = cause
    }

    /// The text for the user, used by `localizedDescription`.
    public var errorDescription: String? { message }
}

extension ExplainedError: CustomStringConvertible {
    /// The description of the cause, which is safe to log.
    public var description: String { cause.description }
}

extension ExplainedError: ServerFailure {
    package var isRefusal: Bool { cause.isRefusal }
    package var isMissing: Bool { cause.isMissing }
    package var isOfDeletion: Bool { cause.isOfDeletion }
    package var statusCode: Int? { cause.statusCode }
    package var reason: String? { message }
    package var retryAfter: Duration? { cause.retryAfter }
    package var mayHaveArrived: Bool { cause.mayHaveArrived }
}

/// A controller whose errors have texts for the user: see `explaining(_:)`.
private struct ExplainingController<Base: NetworkController>: NetworkController {
    let base: Base
    let explain: @Sendable (NetworkError) -> String

    func request<Response>(_ endpoint: Endpoint<Base.Access, Response>) async throws -> Response {
        do {
            return try await base.request(endpoint)
        } catch let error as NetworkError {
            throw ExplainedError(explain(error), cause: error)
        }
    }
}

extension NetworkController {
    /// Returns a controller that describes its errors in words for the user, with one closure for
    /// the whole app.
    ///
    /// ```swift
    /// let account = controller.explaining { error in
    ///     if let reason = error.reason { return reason }
    ///     return error.isMissing ? "This no longer exists." : "The server cannot be reached."
    /// }
    /// ```
    ///
    /// - Parameter explain: Returns the text for an error.
    /// - Returns: The controller, which throws ``ExplainedError`` in place of `NetworkError`. Store
    ///   it as `any NetworkController<AuthenticatedNetworkController>`, for example.
    public func explaining(
        _ explain: @escaping @Sendable (NetworkError) -> String
    ) -> some NetworkController<Access> {
        ExplainingController(base: self, explain: explain)
    }
}
