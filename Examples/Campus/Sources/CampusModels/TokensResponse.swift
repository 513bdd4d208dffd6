/// The tokens that a sign-in or a refresh returns.
public struct TokensResponse: Codable, Hashable, Sendable, Redacted {
    /// The token for requests, sent as `Authorization: Bearer …`.
    public let accessToken: String
    /// The token for the next refresh, which can be used once.
    public let refreshToken: String
    /// The number of seconds for which the access token is valid, counted from the response.
    public let expiresIn: Int

    /// Creates a pair of tokens, whose access token is valid for `expiresIn` seconds.
    public init(accessToken: String, refreshToken: String, expiresIn: Int) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
    }
}
