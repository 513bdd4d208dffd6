/// The body of every answer of the API whose status is not a success.
public struct APIError: Codable, Hashable, Sendable, Error {
    /// What went wrong, for code to decide on; a client must expect codes it does not know.
    public struct Code: StringIdentifier {
        /// The code as it is written.
        public let rawValue: String

        /// The code written as `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// What went wrong, for code to decide on.
    public let code: Code
    /// What went wrong and what to do about it, for people.
    ///
    /// It never repeats what the request carried in its body.
    public let message: String

    /// An error of `code`, explained by `message`.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }
}

extension APIError.Code {
    /// 400: the request cannot be understood.
    public static let badRequest: Self = "bad_request"
    /// 401: no user has this e-mail address and password.
    public static let invalidCredentials: Self = "invalid_credentials"
    /// 401: the refresh token is unknown or used up; log in again.
    public static let invalidGrant: Self = "invalid_grant"
    /// 401: the access token is missing, expired or unknown; refresh it.
    public static let invalidToken: Self = "invalid_token"
    /// 404: there is no such thing, or not for this user.
    public static let notFound: Self = "not_found"
    /// 409: what is asked for cannot be done as things are, and was not done; the message says why, in words for people.
    public static let conflict: Self = "conflict"
    /// 412: it has changed since it was read; `If-Match` does not name its revision.
    public static let preconditionFailed: Self = "precondition_failed"
    /// 413: the body is larger than any that is of use here.
    public static let contentTooLarge: Self = "content_too_large"
    /// 422: the body can be read, and what it asks for cannot be done; the message says why.
    public static let invalidContent: Self = "invalid_content"
    /// 422: the `Idempotency-Key` came with another request before.
    public static let keyReused: Self = "key_reused"
    /// 429: too many attempts to log in; wait as long as `Retry-After` says.
    public static let tooManyAttempts: Self = "too_many_attempts"
    /// 500: the server's own mistake.
    public static let internalError: Self = "internal_error"
    /// 503: the section cannot be served now; try again.
    public static let unavailable: Self = "unavailable"
}
