/// The body of `POST /token/refresh`.
public struct RefreshRequest: Codable, Hashable, Sendable, Redacted {
    /// The refresh token last received.
    public let refreshToken: String

    /// A refresh with `refreshToken`.
    public init(refreshToken: String) {
        self.refreshToken = refreshToken
    }
}
