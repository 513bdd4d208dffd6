import CampusModels
import HTTPTypes
import Hummingbird

/// An error response that any part of the server can throw.
struct APIFailure: HTTPResponseError {
    let status: HTTPResponse.Status
    let body: APIError
    var headers: HTTPFields = [:]
    /// The entry for the security log; `nil` if the failure does not matter for security.
    let event: SecurityEvent?
    /// The user of the request as the security log names them; `nil` if it is unknown.
    private(set) var user: String?

    init(
        _ status: HTTPResponse.Status,
        _ code: APIError.Code,
        _ message: String,
        headers: HTTPFields = [:],
        event: SecurityEvent? = nil
    ) {
        self.status = status
        self.body = APIError(code: code, message: message)
        self.headers = headers
        self.event = event
    }

    /// Returns the failure of a request of `user`.
    func of(_ user: String) -> Self {
        var failure = self
        failure.user = user
        return failure
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        var response = try JSON(body, status: status).response(from: request, context: context)
        response.headers.append(contentsOf: headers)
        return response
    }
}

extension APIFailure {
    static func badRequest(_ message: String) -> Self {
        Self(.badRequest, .badRequest, message)
    }

    static func noSuchCourse(_ id: Course.ID) -> Self {
        Self(
            .notFound,
            .notFound,
            "You have no course '\(id)'. GET /courses lists those you have.",
            event: .accessRefused
        )
    }

    static func noSuchTodo(_ id: Todo.ID) -> Self {
        Self(.notFound, .notFound, "The course has no to-do '\(id)'. GET /courses/{id}/todos lists those it has.")
    }

    static func noSuchSession(_ id: DeviceSession.ID) -> Self {
        Self(
            .notFound,
            .notFound,
            "You have no session '\(id)'. GET /sessions lists those you have.",
            event: .accessRefused
        )
    }

    static func noSuchProduct(_ id: Product.ID) -> Self {
        Self(.notFound, .notFound, "There is no product '\(id)'. GET /catalog lists those there are.")
    }

    static func invalidContent(_ message: String) -> Self {
        Self(.unprocessableContent, .invalidContent, message)
    }

    static func controlCharacters(in name: String, _ status: HTTPResponse.Status) -> Self {
        Self(
            status,
            status == .unprocessableContent ? .invalidContent : .badRequest,
            "\(name) has a control character; remove it.",
            event: .textRefused
        )
    }

    static func tooLong(_ name: String, limit: Int, _ status: HTTPResponse.Status) -> Self {
        Self(
            status,
            status == .unprocessableContent ? .invalidContent : .badRequest,
            "\(name) is longer than \(limit) bytes; shorten it."
        )
    }

    /// The rejection of any request by a fault.
    static let denied = Self(.forbidden, .forbidden, "This is not for you.")

    /// The rejection by a fault, whose message is shown to users.
    static let refused = Self(.conflict, .conflict, "The campus is closed for changes right now.")

    /// The rejection of the content by a fault, whose message is shown to users.
    static let notAccepted = invalidContent("The term is over, so this cannot be changed any more.")

    /// The rejection of the content by a fault, with a message of more than 100 kB.
    static let rambling = invalidContent(String(repeating: "The term is over. ", count: 6_000))

    static let changedMeanwhile = Self(
        .preconditionFailed,
        .preconditionFailed,
        "This has changed since it was read: 'If-Match' does not name its revision. Read it again, then decide."
    )

    static let keyReused = Self(
        .unprocessableContent,
        .keyReused,
        "This 'Idempotency-Key' came with another request before. Use a new one for each thing to be done."
    )

    static let contentTooLarge = Self(
        .contentTooLarge,
        .contentTooLarge,
        "The body is larger than \(APIContext.bodyLimit) bytes.",
        event: .bodyTooLarge
    )

    /// The connection cannot be used any more, because nothing tells where the next request begins.
    static let invalidFraming = Self(
        .badRequest,
        .badRequest,
        "The body does not follow the rules of HTTP.",
        headers: [.connection: "close"]
    )

    static let unavailable = Self(.serviceUnavailable, .unavailable, "This cannot be served right now. Try again.")

    static let internalError = Self(
        .internalServerError,
        .internalError,
        "The server made a mistake. Its log says more."
    )

    static let invalidCredentials = Self(
        .unauthorized,
        .invalidCredentials,
        "No user has this e-mail address and password.",
        headers: [.wwwAuthenticate: challenge],
        event: .loginFailed
    )

    static let invalidGrant = Self(
        .unauthorized,
        .invalidGrant,
        "The refresh token is unknown, used or expired. Sign in again.",
        headers: [.wwwAuthenticate: challenge]
    )

    /// The refusal of a used token, which the client cannot tell from ``invalidGrant``.
    static let reusedGrant = Self(
        invalidGrant.status,
        invalidGrant.body.code,
        invalidGrant.body.message,
        headers: invalidGrant.headers,
        event: .refreshReused
    )

    /// A request without a token gets only the challenge, without an error (RFC 6750, section 3.1).
    static let missingToken = Self(
        .unauthorized,
        .invalidToken,
        "This needs an access token: sign in, then send it as 'Authorization: Bearer …'.",
        headers: [.wwwAuthenticate: challenge]
    )

    static let invalidToken = Self(
        .unauthorized,
        .invalidToken,
        "The access token has expired or is unknown. Get another one from POST /token/refresh.",
        headers: [.wwwAuthenticate: #"\#(challenge), error="invalid_token""#],
        event: .accessRefused
    )

    static func tooManyAttempts(retryAfter: Duration) -> Self {
        let seconds = retryAfter.components.seconds + (retryAfter.components.attoseconds > 0 ? 1 : 0)
        return Self(
            .tooManyRequests,
            .tooManyAttempts,
            "Too many attempts to sign in. Try again in \(seconds) s.",
            headers: [.retryAfter: "\(seconds)"],
            event: .loginThrottled
        )
    }

    static let tooManyAtOnce = Self(
        .tooManyRequests,
        .tooManyAttempts,
        "Too many users sign in at once. Try again in 1 s.",
        headers: [.retryAfter: "1"],
        event: .loginDeferred
    )

    private static let challenge = #"Bearer realm="campus""#
}
