internal import BackplaneConcurrency
public import Foundation
public import HTTPTypes

/// An error of a request, a session or a token vault.
///
/// The description says which request failed, why, and what to do about it. It is safe to log: it
/// contains no credentials, no bodies and no queries. A cancelled request throws
/// `CancellationError` instead. Only a completion handler receives a cancellation as this error.
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
    /// The kind of failure, for decisions in code.
    public let code: Code

    /// The method and path of the failed request, or `nil` if the error is not about a request.
    public internal(set) var endpoint: String?

    /// Whether the server may have carried out the request; unknown if the error is about none.
    package internal(set) var mayHaveArrived = true

    /// The failure and what to do about it, for humans.
    public let message: String

    /// The status of the server's response, or `nil` if the error is not about a response.
    public let status: HTTPResponse.Status?

    /// The time to wait before the next request, if the server asks for it with `Retry-After` (RFC
    /// 9110 section 10.2.3).
    public internal(set) var retryAfter: Duration?

    /// Whether the request was to delete something.
    package internal(set) var isOfDeletion = false

    /// The largest number of bytes of ``body``.
    static let bodyLimit = 64 * 1024

    /// The first 64 KiB of the body of an error response.
    ///
    /// Decode it if ``cause`` does not contain the details that you need. Descriptions and dumps of
    /// this error show only its size.
    public let body: Data?

    /// The underlying error.
    ///
    /// For an error response, it is the decoded body. This requires a type declared by
    /// ``Endpoint/errors(as:)`` or ``NetworkOptions/errorType``, and a body that decodes as that
    /// type. The cause may contain sent or received data, unlike the description of this error.
    public let cause: (any Error)?

    /// Creates an error, for example in a transport or in an endpoint's `decode`.
    public init(
        _ code: Code,
        message: String,
        status: HTTPResponse.Status? = nil,
        body: Data? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.status = status
        self.body = body.map { Data($0.prefix(Self.bodyLimit)) }
        self.cause = cause
    }
}

extension NetworkError: CustomStringConvertible {
    /// The request and the message.
    public var description: String { endpoint.map { "\($0): \(message)" } ?? message }
}

extension NetworkError: LocalizedError {
    /// The same text as `description`, used by `localizedDescription`.
    public var errorDescription: String? { description }
}

extension NetworkError: CustomReflectable {
    /// A mirror of the data that is safe to log, with only the type of the cause.
    public var customMirror: Mirror {
        // Constants, because one expression of all takes the type checker five seconds.
        let (code, endpoint) = ("\(code)", endpoint ?? "none")
        let status = status.map { "\($0)" } ?? "none"
        let body = body.map { "\($0)" } ?? "none"
        let cause = cause.map { "\(type(of: $0))" } ?? "none"
        return Mirror(
            self,
            children: [
                "code": code, "endpoint": endpoint, "message": message, "status": status, "body": body, "cause": cause,
            ],
            displayStyle: .struct
        )
    }
}

extension NetworkError {
    /// The kind of a failure.
    ///
    /// Later versions may add codes, so switch over them with a default.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// The base URL is not valid, or it is not https and the options do not allow http.
        public static let invalidBaseURL = Code(description: "invalidBaseURL")
        /// The path of the endpoint is not valid, or its body could not be encoded (see `cause`);
        /// no request was sent.
        public static let invalidEndpoint = Code(description: "invalidEndpoint")
        /// A middleware changed the request so that it would go to another server; no request was
        /// sent.
        public static let originChanged = Code(description: "originChanged")
        /// A middleware threw its own error.
        public static let middlewareFailed = Code(description: "middlewareFailed")
        /// The server could not be reached or the connection broke; it may or may not have
        /// processed the request.
        public static let transportFailed = Code(description: "transportFailed")
        /// The request took too long; the server may or may not have processed it.
        public static let timedOut = Code(description: "timedOut")
        /// The response is larger than the controller accepts.
        public static let responseTooLarge = Code(description: "responseTooLarge")
        /// The response has a status from 300 to 399; redirects are not followed.
        public static let redirected = Code(description: "redirected")
        /// The response has status 401, or refuses the access token by the rule of the endpoint.
        ///
        /// An authenticated request throws this only after a refresh of its tokens.
        public static let unauthorized = Code(description: "unauthorized")
        /// The response has another status from 400 to 499: the server refuses the request.
        public static let rejected = Code(description: "rejected")
        /// The response has a status of 500 or higher: the server could not process the request.
        public static let serverFailed = Code(description: "serverFailed")
        /// The response does not match the type that the endpoint declares.
        public static let undecodableResponse = Code(description: "undecodableResponse")
        /// No user is signed in, or the user of the request has signed out.
        public static let signedOut = Code(description: "signedOut")
        /// The session has ended because its tokens are no longer accepted.
        public static let sessionExpired = Code(description: "sessionExpired")
        /// The tokens need a refresh, and the last refresh failed temporarily; the user is still
        /// signed in.
        public static let refreshUnavailable = Code(description: "refreshUnavailable")
        /// The request was cancelled; only a ``NetworkResultHandler`` receives this code, and other
        /// functions throw `CancellationError`.
        public static let cancelled = Code(description: "cancelled")
        /// The vault could not read, write, lock or clear the tokens.
        public static let vaultFailed = Code(description: "vaultFailed")
        /// Tokens of a user who has signed out could not be revoked; they stay valid on the server
        /// until they expire.
        public static let revocationFailed = Code(description: "revocationFailed")
    }
}

extension NetworkError {
    /// Whether the request has definitely not been carried out, and would fail again.
    ///
    /// Such an error undoes an optimistic mutation. A refusal is a status from 400 to 499, or an
    /// endpoint that is not valid, so that the request could not be sent. Four statuses are not
    /// refusals: 401, because the user may sign in again, and 408, 425 and 429, because the server
    /// may accept the request later. After any other error, such as a time-out or a status from
    /// 500, the server may have carried out the request. If the server refuses a later attempt
    /// after such an error, the first attempt may still have succeeded: see <doc:RequestOutcomes>.
    public var isRefusal: Bool {
        switch code {
        case .rejected: status.map { RequestOutcome(after: .response($0.code)) == .refused } ?? true
        case .invalidEndpoint, .originChanged: true
        default: false
        }
    }

    /// Whether the server says that the resource does not exist (status 404 or 410).
    public var isMissing: Bool { status == .notFound || status == .gone }
}

extension NetworkError: ServerFailure {
    package var statusCode: Int? { status?.code }
}
