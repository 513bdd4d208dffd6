/// The body of `POST /token/refresh`.
public struct RefreshRequest: Codable, Hashable, Sendable, Redacted {
    /// The refresh token that was received last.
    public let refreshToken: String

    /// Creates a refresh with `refreshToken`.
    public init(refreshToken: String) {
        self.refreshToken = refreshToken
    }
}
