import CampusModels
import HTTPTypes
import Hummingbird

/// An error response that any part of the server can throw.
struct APIFailure: HTTPResponseError {
    let status: HTTPResponse.Status
    let body: APIError
    var headers: HTTPFields = [:]

    init(_ status: HTTPResponse.Status, _ code: APIError.Code, _ message: String, headers: HTTPFields = [:]) {
        self.status = status
        self.body = APIError(code: code, message: message)
        self.headers = headers
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
        Self(.notFound, .notFound, "You have no course '\(id)'. GET /courses lists those you have.")
    }

    static func noSuchTodo(_ id: Todo.ID) -> Self {
        Self(.notFound, .notFound, "The course has no to-do '\(id)'. GET /courses/{id}/todos lists those it has.")
    }

    static func noSuchSession(_ id: UserSession.ID) -> Self {
        Self(.notFound, .notFound, "You have no session '\(id)'. GET /sessions lists those you have.")
    }

    static func noSuchProduct(_ id: Product.ID) -> Self {
        Self(.notFound, .notFound, "There is no product '\(id)'. GET /catalog lists those there are.")
    }

    static func invalidContent(_ message: String) -> Self {
        Self(.unprocessableContent, .invalidContent, message)
    }

    /// The rejection by a fault, whose message is shown to users.
    static let refused = Self(.conflict, .conflict, "The campus is closed for changes right now.")

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

    static let contentTooLarge = Self(.contentTooLarge, .contentTooLarge, "The body is too large.")

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
        headers: [.wwwAuthenticate: challenge]
    )

    static let invalidGrant = Self(
        .unauthorized,
        .invalidGrant,
        "The refresh token is unknown, used or expired. Log in again.",
        headers: [.wwwAuthenticate: challenge]
    )

    /// A request without a token gets only the challenge, without an error (RFC 6750, section 3.1).
    static let missingToken = Self(
        .unauthorized,
        .invalidToken,
        "This needs an access token: log in, then send it as 'Authorization: Bearer …'.",
        headers: [.wwwAuthenticate: challenge]
    )

    static let invalidToken = Self(
        .unauthorized,
        .invalidToken,
        "The access token has expired or is unknown. Get another one from POST /token/refresh.",
        headers: [.wwwAuthenticate: #"\#(challenge), error="invalid_token""#]
    )

    static func tooManyAttempts(retryAfter: Duration) -> Self {
        let seconds = retryAfter.components.seconds + (retryAfter.components.attoseconds > 0 ? 1 : 0)
        return Self(
            .tooManyRequests,
            .tooManyAttempts,
            "Too many attempts to log in. Try again in \(seconds) s.",
            headers: [.retryAfter: "\(seconds)"]
        )
    }

    private static let challenge = #"Bearer realm="campus""#
}
