public import Foundation

/// What logging in yields: an access token, and what is needed to replace it.
///
/// It decodes from a token response of OAuth 2.0 (RFC 6749 section 5.1: `access_token`, `refresh_token`, `expires_in` in
/// seconds) and from the same names in camel case, so that most log-in and refresh endpoints need no further type; for
/// others there is ``Endpoint/map(_:)``. Printed or dumped it does not show the tokens. **Encoded, it contains them**: that
/// is for a ``TokenVault``.
public struct NetworkTokens: Hashable, Sendable {
    /// The token for requests.
    public let access: AccessToken

    /// The token for a refresh.
    ///
    /// `nil` in the answer to a refresh means that the old one stays valid (RFC 6749 section 6); `nil` after logging in,
    /// that the session ends with its access token.
    public let refresh: RefreshToken?

    /// How long the access token is valid from ``receivedAt`` on, if the server said so.
    public let expiresIn: Duration?

    /// When the tokens arrived, by the device's calendar clock.
    ///
    /// It is only used to find out how old tokens from a vault are. While the app runs, age is measured on a monotonic
    /// clock, which nobody can set.
    public let receivedAt: Date

    /// Tokens received at `receivedAt`, by default now.
    public init(
        access: AccessToken,
        refresh: RefreshToken? = nil,
        expiresIn: Duration? = nil,
        receivedAt: Date = Date()
    ) {
        self.access = access
        self.refresh = refresh
        self.expiresIn = expiresIn
        self.receivedAt = receivedAt
    }

    /// These tokens, with the refresh token of `predecessor` unless they bring one.
    func succeeding(_ predecessor: NetworkTokens) -> NetworkTokens {
        NetworkTokens(
            access: access,
            refresh: refresh ?? predecessor.refresh,
            expiresIn: expiresIn,
            receivedAt: receivedAt
        )
    }

    /// How long the access token is still valid at `date`, if that is known; negative once it has expired.
    func remainingLifetime(at date: Date) -> Duration? {
        // A calendar clock that was set back must not make tokens younger than new.
        expiresIn.map { $0 - .seconds(max(0, date.timeIntervalSince(receivedAt))) }
    }
}

extension NetworkTokens: Codable {
    private enum CodingKeys: String, CodingKey {
        case access = "access_token"
        case refresh = "refresh_token"
        case expiresIn = "expires_in"
        case receivedAt = "received_at"
    }

    private enum CamelCaseKeys: String, CodingKey {
        case access = "accessToken"
        case refresh = "refreshToken"
        case expiresIn
    }

    /// Tokens from a token response, received now, or from a vault, received when the vault says.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let expiresIn: Double?
        if container.contains(.access) {
            access = try container.decode(AccessToken.self, forKey: .access)
            refresh = try container.decodeIfPresent(RefreshToken.self, forKey: .refresh)
            expiresIn = try container.decodeIfPresent(Double.self, forKey: .expiresIn)
        } else {
            let container = try decoder.container(keyedBy: CamelCaseKeys.self)
            access = try container.decode(AccessToken.self, forKey: .access)
            refresh = try container.decodeIfPresent(RefreshToken.self, forKey: .refresh)
            expiresIn = try container.decodeIfPresent(Double.self, forKey: .expiresIn)
        }
        self.expiresIn = expiresIn.map { .seconds($0) }
        // Seconds since 1970 rather than a `Date`, whose form depends on the coder's strategy.
        let receivedAt = try container.decodeIfPresent(Double.self, forKey: .receivedAt)
        self.receivedAt = receivedAt.map { Date(timeIntervalSince1970: $0) } ?? Date()
    }

    /// Writes the tokens, for a vault.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(access, forKey: .access)
        try container.encodeIfPresent(refresh, forKey: .refresh)
        try container.encodeIfPresent(expiresIn.map { $0 / .seconds(1) }, forKey: .expiresIn)
        try container.encode(receivedAt.timeIntervalSince1970, forKey: .receivedAt)
    }
}

extension NetworkTokens: Redacted {
    var redactedSummary: String {
        "redacted, \(expiresIn.map { "valid for \($0)" } ?? "no expiry known")"
    }
}
