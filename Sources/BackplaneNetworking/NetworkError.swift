internal import BackplaneConcurrency
public import Foundation
public import HTTPTypes

/// Why a request has no response.
///
/// Its description says which request failed, how, and what to do about it, and is safe to log: neither credentials nor
/// bodies nor queries are part of it. A cancelled request throws `CancellationError` instead, except to a completion
/// handler.
///
/// ```swift
/// do {
///     user = try await controller.request(.me)
/// } catch let error as NetworkError where error.code == .sessionExpired {
///     showLogin()
/// } catch let error as NetworkError {
///     if let problem = error.cause as? Problem { show(problem.title) }
/// }
/// ```
public struct NetworkError: Error, Sendable {
    /// What went wrong, for code to decide on.
    public let code: Code

    /// The method and path of the request that failed, `nil` if the error is not about a request.
    public internal(set) var endpoint: String?

    /// What went wrong and what to do about it, for people.
    public let message: String

    /// The status the server answered with, if it did.
    public let status: HTTPResponse.Status?

    /// How long the server asks not to be asked again (`Retry-After`, RFC 9110 section 10.2.3), if it does.
    public internal(set) var retryAfter: Duration?

    /// The beginning of what the server sent along with its refusal.
    public let body: Body?

    /// The error behind this one.
    ///
    /// Of a refusal it is what the server says, as the type that ``Endpoint/errors(as:)`` or
    /// ``NetworkOptions/errorType`` declares, if the body could be read as that. Unlike this error's own description, it may
    /// contain what was sent or received.
    public let cause: (any Error)?

    /// An error; a transport or an endpoint's `decode` may throw one of its own.
    public init(
        _ code: Code,
        message: String,
        status: HTTPResponse.Status? = nil,
        body: Body? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.status = status
        self.body = body
        self.cause = cause
    }
}

extension NetworkError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The request and the message.
    public var description: String { endpoint.map { "\($0): \(message)" } ?? message }

    /// The same as `description`: nothing more would be safe to log.
    public var debugDescription: String { "NetworkError(\(code)): \(description)" }
}

extension NetworkError: LocalizedError {
    /// The same as `description`, so that `localizedDescription` says as much.
    public var errorDescription: String? { description }
}

extension NetworkError: CustomReflectable {
    /// A mirror of what is safe to log: of the cause its type only.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "code": "\(code)", "endpoint": endpoint ?? "none", "message": message,
                "status": status.map { "\($0)" } ?? "none", "body": body.map { "\($0)" } ?? "none",
                "cause": cause.map { "\(type(of: $0))" } ?? "none",
            ],
            displayStyle: .struct
        )
    }
}

extension NetworkError {
    /// What went wrong.
    ///
    /// More codes may be added; switch over them with a default.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// The base URL cannot be one.
        public static let invalidBaseURL = Code(description: "invalidBaseURL")
        /// The base URL is not https, and nobody said that it may be.
        public static let insecureBaseURL = Code(description: "insecureBaseURL")
        /// The endpoint's path cannot be used; nothing was sent.
        public static let invalidEndpoint = Code(description: "invalidEndpoint")
        /// The body could not be encoded; nothing was sent.
        public static let unencodableBody = Code(description: "unencodableBody")
        /// A middleware would have sent the request to another server; nothing was sent.
        public static let originChanged = Code(description: "originChanged")
        /// A middleware threw an error of its own.
        public static let middlewareFailed = Code(description: "middlewareFailed")
        /// The server could not be reached or the connection broke; it may or may not have acted on the request.
        public static let transportFailed = Code(description: "transportFailed")
        /// The time allowed ran out; the server may or may not have acted on the request.
        public static let timedOut = Code(description: "timedOut")
        /// The answer is larger than what the controller accepts.
        public static let responseTooLarge = Code(description: "responseTooLarge")
        /// The server answered with a status from 300 to 399; redirects are not followed.
        public static let redirected = Code(description: "redirected")
        /// The server answered 401, for an authenticated request also after its tokens were refreshed.
        public static let unauthorized = Code(description: "unauthorized")
        /// The server answered with another status from 400 to 499: it will not do what was asked.
        public static let rejected = Code(description: "rejected")
        /// The server answered with a status from 500: it could not do what was asked.
        public static let serverFailed = Code(description: "serverFailed")
        /// The answer's body is not what the endpoint declares.
        public static let undecodableResponse = Code(description: "undecodableResponse")
        /// Nobody is signed in, or whoever asked has been signed out since.
        public static let signedOut = Code(description: "signedOut")
        /// The session is over because the server no longer accepts its tokens.
        public static let sessionExpired = Code(description: "sessionExpired")
        /// The tokens need a refresh, which failed for a reason that may pass; the user is still signed in.
        public static let refreshUnavailable = Code(description: "refreshUnavailable")
        /// The request was cancelled; only a ``NetworkResultHandler`` gets this, others throw `CancellationError`.
        public static let cancelled = Code(description: "cancelled")
        /// A vault could not read, write or lock the tokens.
        public static let vaultFailed = Code(description: "vaultFailed")
    }
}

/// A retry waits for as long as the server asks.
extension NetworkError: AsksToWait {}
