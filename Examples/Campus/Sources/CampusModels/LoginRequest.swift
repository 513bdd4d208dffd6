/// The body of `POST /login`.
public struct LoginRequest: Codable, Hashable, Sendable, Redacted {
    /// The address the user registered with; its case does not matter.
    public let email: String
    /// The user's password.
    public let password: String

    /// A log-in with `email` and `password`.
    public init(email: String, password: String) {
        self.email = email
        self.password = password
    }
}
