public import Foundation
public import HTTPTypes

/// A step that requests pass on their way out, and answers on their way back.
///
/// It may change a request's header fields and body, look at the answer or replace it, send the request again, or not send
/// it at all. Those of a controller stand in ``NetworkOptions/middlewares``, the outermost first:
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
/// What it can rely on, and what it cannot do:
/// - The access token is attached further in, to each attempt its own, so that a middleware never sees it. It cannot
///   replace it either: on an authenticated request whatever it puts into `Authorization` is removed.
/// - A request stays on its server. With another scheme or authority it is not sent, and `next` throws
///   ``NetworkError`` with the code ``NetworkError/Code/originChanged``.
/// - Refreshing tokens, and repeating a request whose token was refused, happen further in as well: a 401 that comes out of
///   `next` is final. Refreshes are requests too, and pass through the middlewares on their own account.
/// - The request's time-out covers all of it, and cancelling the request cancels its task.
/// - Once the user has been signed out, `next` throws, and what a middleware makes of that is dropped.
///
/// It sees bodies as they are sent, those of log-ins and refreshes included: log what
/// ``NetworkRequestContext/endpoint`` says, not what goes by.
public protocol NetworkMiddleware: Sendable {
    /// The rest of the way: sends a request, by the middlewares further in, and returns the answer, whatever its status.
    ///
    /// It may be called any number of times. It throws ``NetworkError`` when there is no answer, and `CancellationError`.
    typealias Next = @Sendable (HTTPRequest, Data?) async throws -> (HTTPResponse, Data)

    /// Answers a request, as a rule by calling `next`.
    ///
    /// - Parameters:
    ///   - request: the request, complete but for the access token.
    ///   - body: its body, if it has one.
    ///   - context: what else is known about it.
    ///   - next: the rest of the way.
    /// - Returns: the answer, of whatever status.
    /// - Throws: what `next` throws, or an error of its own, which becomes the cause of a ``NetworkError`` with the code
    ///   ``NetworkError/Code/middlewareFailed``. A `NetworkError` is thrown on as it is.
    func intercept(
        _ request: HTTPRequest,
        body: Data?,
        context: NetworkRequestContext,
        next: Next
    ) async throws -> (HTTPResponse, Data)
}

extension NetworkMiddleware where Self == ClosureMiddleware {
    /// A closure as a middleware.
    ///
    /// ```swift
    /// options.middlewares = [
    ///     .intercept { request, body, context, next in
    ///         var request = request
    ///         request.headerFields[.userAgent] = "Campus/1.0"
    ///         return try await next(request, body)
    ///     }
    /// ]
    /// ```
    ///
    /// - Parameter closure: what answers a request, as ``NetworkMiddleware/intercept(_:body:context:next:)`` does; called
    ///   on any thread.
    /// - Returns: the middleware.
    public static func intercept(_ closure: @escaping ClosureMiddleware.Intercept) -> ClosureMiddleware {
        ClosureMiddleware(intercept: closure)
    }
}

/// A middleware made of a closure; write it as `.intercept { … }`.
public struct ClosureMiddleware: NetworkMiddleware {
    /// What answers a request.
    public typealias Intercept =
        @Sendable (HTTPRequest, Data?, NetworkRequestContext, NetworkMiddleware.Next) async throws -> (
            HTTPResponse, Data
        )

    fileprivate let intercept: Intercept

    /// Has the closure answer the request.
    public func intercept(
        _ request: HTTPRequest,
        body: Data?,
        context: NetworkRequestContext,
        next: NetworkMiddleware.Next
    ) async throws -> (HTTPResponse, Data) {
        try await intercept(request, body, context, next)
    }
}
