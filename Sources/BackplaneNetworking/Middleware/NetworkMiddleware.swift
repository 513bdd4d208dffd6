public import Foundation
public import HTTPTypes

/// A step that every request passes on its way out, and every response on its way back.
///
/// A middleware can change the header fields and the body of a request. It can read or replace the
/// response, send the request again, or not send it at all. Add middlewares to
/// ``NetworkOptions/middlewares``, outermost first:
///
/// ```swift
/// struct LanguageMiddleware: NetworkMiddleware {
///     func intercept(
///         _ request: HTTPRequest,
///         body: Data?,
///         context: NetworkRequestContext,
///         next: NetworkMiddleware.Next
///     ) async throws -> (HTTPResponse, Data) {
///         var request = request
///         request.headerFields[.acceptLanguage] = "vi"
///         return try await next(request, body)
///     }
/// }
/// ```
///
/// The pipeline gives these guarantees and limits:
/// - The authorize stage adds the access token to each attempt, after all middlewares. A middleware
///   never sees the token and cannot replace it. On an authenticated request, any `Authorization`
///   field that a middleware sets is replaced.
/// - A request stays on its server. If a middleware changes the scheme or the authority, the
///   request is not sent. `next` then throws ``NetworkError`` with the code
///   ``NetworkError/Code/originChanged``.
/// - The authorize stage also refreshes tokens and resends a request after a refused token. A 401
///   response from `next` is therefore final. A refresh is a separate request, which passes through
///   the middlewares too.
/// - The timeout of the request includes all middlewares. Cancelling the request cancels the task
///   of its middlewares.
/// - After the user has signed out, `next` throws, and the result of the middleware is discarded.
///
/// A middleware sees bodies as they are sent, including the bodies of logins and refreshes. Log
/// ``NetworkRequestContext/endpoint`` and not the bodies.
public protocol NetworkMiddleware: Sendable {
    /// The rest of the pipeline, which sends a request through the inner middlewares and returns
    /// the response, of any status.
    ///
    /// You may call it any number of times. It throws ``NetworkError`` if there is no response, and
    /// `CancellationError` if the request is cancelled.
    typealias Next = @Sendable (HTTPRequest, Data?) async throws -> (HTTPResponse, Data)

    /// Handles a request, usually by calling `next`.
    ///
    /// - Parameters:
    ///   - request: The request, complete except for the access token.
    ///   - body: The body of the request, if it has one.
    ///   - context: More information about the request.
    ///   - next: The rest of the pipeline.
    /// - Returns: The response, of any status.
    /// - Throws: The error of `next`, or an error of the middleware. A `NetworkError` is thrown
    ///   unchanged. Any other error becomes the cause of a ``NetworkError`` with the code
    ///   ``NetworkError/Code/middlewareFailed``.
    func intercept(
        _ request: HTTPRequest,
        body: Data?,
        context: NetworkRequestContext,
        next: Next
    ) async throws -> (HTTPResponse, Data)
}

extension NetworkOptions {
    /// Adds a middleware that is a closure, inside the middlewares that were added before.
    ///
    /// ```swift
    /// options.intercept { request, body, context, next in
    ///     var request = request
    ///     request.headerFields[.userAgent] = "Campus/1.0"
    ///     return try await next(request, body)
    /// }
    /// ```
    ///
    /// - Parameter handle: The closure that handles a request, like
    ///   ``NetworkMiddleware/intercept(_:body:context:next:)``. It is called on any thread.
    public mutating func intercept(
        _ handle:
            @escaping @Sendable (HTTPRequest, Data?, NetworkRequestContext, NetworkMiddleware.Next) async throws -> (
                HTTPResponse, Data
            )
    ) {
        middlewares.append(ClosureMiddleware(handle: handle))
    }
}

private struct ClosureMiddleware: NetworkMiddleware {
    let handle:
        @Sendable (HTTPRequest, Data?, NetworkRequestContext, NetworkMiddleware.Next) async throws -> (
            HTTPResponse, Data
        )

    func intercept(
        _ request: HTTPRequest,
        body: Data?,
        context: NetworkRequestContext,
        next: NetworkMiddleware.Next
    ) async throws -> (HTTPResponse, Data) {
        try await handle(request, body, context, next)
    }
}
