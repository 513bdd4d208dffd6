/// The tokens that a log-in or a refresh gives.
public struct TokensResponse: Codable, Hashable, Sendable, Redacted {
    /// The token to send with requests, as `Authorization: Bearer …`.
    public let accessToken: String
    /// The token to get the next pair with, once.
    public let refreshToken: String
    /// The seconds for which the access token is valid, counted from the response.
    public let expiresIn: Int

    /// A pair of tokens, the first of which is valid for `expiresIn` seconds.
    public init(accessToken: String, refreshToken: String, expiresIn: Int) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
    }
}
