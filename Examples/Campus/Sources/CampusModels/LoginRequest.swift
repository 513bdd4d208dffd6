/// The body of `POST /login`.
public struct LoginRequest: Codable, Hashable, Sendable, Redacted {
    /// The user's e-mail address; upper and lower case are equal.
    public let email: String
    /// The user's password.
    public let password: String

    /// Creates a log-in with `email` and `password`.
    public init(email: String, password: String) {
        self.email = email
        self.password = password
    }
}
