/// The body of every error response of the API.
public struct APIError: Codable, Hashable, Sendable, Error {
    /// A code for programs; a client must expect unknown codes.
    public struct Code: StringIdentifier {
        /// The code as text.
        public let rawValue: String

        /// Creates the code with the text `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The code for programs.
    public let code: Code
    /// A message for users, which says what failed and what to do about it.
    ///
    /// It never repeats the body of the request.
    public let message: String

    /// Creates an error with a code and a message.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }
}

extension APIError.Code {
    /// 400: the request is not valid.
    public static let badRequest: Self = "bad_request"
    /// 401: no user has this e-mail address and password.
    public static let invalidCredentials: Self = "invalid_credentials"
    /// 401: the refresh token is unknown or used; sign in again.
    public static let invalidGrant: Self = "invalid_grant"
    /// 401: the access token is missing, expired or unknown; refresh it.
    public static let invalidToken: Self = "invalid_token"
    /// 403: the resource is not for this user.
    public static let forbidden: Self = "forbidden"
    /// 404: the resource does not exist, or not for this user.
    public static let notFound: Self = "not_found"
    /// 409: the current state does not allow the change; the message gives the reason, for users.
    public static let conflict: Self = "conflict"
    /// 412: the value has changed since it was read; `If-Match` does not name its revision.
    public static let preconditionFailed: Self = "precondition_failed"
    /// 413: the body is larger than the limit.
    public static let contentTooLarge: Self = "content_too_large"
    /// 422: the body is readable, but its content is not allowed; the message gives the reason.
    public static let invalidContent: Self = "invalid_content"
    /// 422: the `Idempotency-Key` came with a different request before.
    public static let keyReused: Self = "key_reused"
    /// 429: too many sign-in attempts; wait for the time in `Retry-After`.
    public static let tooManyAttempts: Self = "too_many_attempts"
    /// 500: an internal error of the server.
    public static let internalError: Self = "internal_error"
    /// 503: the server cannot respond now; try again.
    public static let unavailable: Self = "unavailable"
}
