public import Foundation

/// What logging in yields: an access token, and what is needed to replace it.
///
/// It decodes from a token response of OAuth 2.0 (RFC 6749 section 5.1: `access_token`, `refresh_token`, `expires_in` in
/// seconds) and from the same names in camel case, so that most log-in and refresh endpoints need no further type; for
/// others there is ``Endpoint/map(_:)``. Printed or dumped it does not show the tokens. **Encoded, it contains them**: that
/// is for a ``TokenVault``, which keeps the encoded form whole, since what a session notes for its next run is part of it.
public struct NetworkTokens: Sendable {
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

    /// What a session noted of them; `nil` until one has had them, or a vault.
    var history: TokenHistory?

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

    /// These tokens as what a refresh made of `predecessor`: with its refresh token, unless they bring one.
    func succeeding(_ predecessor: NetworkTokens) -> NetworkTokens {
        var successor = NetworkTokens(
            access: access,
            refresh: refresh ?? predecessor.refresh,
            expiresIn: expiresIn,
            receivedAt: receivedAt
        )
        let history = predecessor.history ?? TokenHistory(beginningWith: predecessor)
        successor.history = TokenHistory(session: history.session, generation: history.generation + 1)
        return successor
    }

    /// These tokens with the note that a refresh of them has begun and may have used them up (N11).
    var beingRefreshed: NetworkTokens {
        var tokens = self
        tokens.history = history ?? TokenHistory(beginningWith: self)
        tokens.history?.isBeingRefreshed = true
        return tokens
    }

    /// Whether they are still good at `date`, as far as can be told, and not perhaps used up by a refresh.
    func isUsable(at date: Date) -> Bool {
        history?.isBeingRefreshed != true && remainingLifetime(at: date).map { $0 > .zero } ?? true
    }

    /// How long before the end of its life an access token is to be replaced, so that it does not expire on its way to the
    /// server: 30 seconds, or a tenth of its life if that is short.
    static func margin(of lifetime: Duration) -> Duration { min(.seconds(30), lifetime / 10) }

    /// How long the access token is still valid at `date`, if that is known; negative once it has expired.
    func remainingLifetime(at date: Date) -> Duration? {
        // A calendar clock that was set back must not make tokens younger than new.
        expiresIn.map { $0 - (.clamped(seconds: max(0, date.timeIntervalSince(receivedAt))) ?? .zero) }
    }
}

extension NetworkTokens: Hashable {
    /// Whether both are the same tokens; what a session noted of them does not matter.
    public static func == (left: NetworkTokens, right: NetworkTokens) -> Bool {
        left.access == right.access && left.refresh == right.refresh && left.expiresIn == right.expiresIn
            && left.receivedAt == right.receivedAt
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(access)
        hasher.combine(refresh)
        hasher.combine(expiresIn)
        hasher.combine(receivedAt)
    }
}

extension NetworkTokens: Codable {
    private enum CodingKeys: String, CodingKey {
        case access = "access_token"
        case refresh = "refresh_token"
        case expiresIn = "expires_in"
        case receivedAt = "received_at"
        case history
    }

    private enum CamelCaseKeys: String, CodingKey {
        case access = "accessToken"
        case refresh = "refreshToken"
        case expiresIn
    }

    /// Tokens from a token response, received now, or from a vault, received when the vault says.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if container.contains(.access) {
            access = try container.decode(AccessToken.self, forKey: .access)
            refresh = try container.decodeIfPresent(RefreshToken.self, forKey: .refresh)
            expiresIn = try Self.seconds(in: container, forKey: .expiresIn)
        } else {
            let container = try decoder.container(keyedBy: CamelCaseKeys.self)
            access = try container.decode(AccessToken.self, forKey: .access)
            refresh = try container.decodeIfPresent(RefreshToken.self, forKey: .refresh)
            expiresIn = try Self.seconds(in: container, forKey: .expiresIn)
        }
        // A number rather than a `Date`, whose form depends on the coder's strategy; since 2001, which is what a `Date` counts
        // from, so that it comes back the same.
        let receivedAt = try container.decodeIfPresent(Double.self, forKey: .receivedAt)
        self.receivedAt = receivedAt.map { Date(timeIntervalSinceReferenceDate: $0) } ?? Date()
        // Only from a vault: what a server calls by this name is its own affair.
        history = receivedAt == nil ? nil : try container.decodeIfPresent(TokenHistory.self, forKey: .history)
    }

    /// A number of seconds; some servers send it as a string.
    private static func seconds<Key: CodingKey>(
        in container: KeyedDecodingContainer<Key>,
        forKey key: Key
    ) throws -> Duration? {
        let text = try? container.decode(String.self, forKey: key)
        guard let seconds = try text.flatMap(Double.init) ?? container.decodeIfPresent(Double.self, forKey: key) else {
            return nil
        }
        guard let duration = Duration.clamped(seconds: seconds) else {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: container,
                debugDescription: "This is not a number of seconds."
            )
        }
        return duration
    }

    /// Writes the tokens, for a vault.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(access, forKey: .access)
        try container.encodeIfPresent(refresh, forKey: .refresh)
        try container.encodeIfPresent(expiresIn.map { $0 / .seconds(1) }, forKey: .expiresIn)
        try container.encode(receivedAt.timeIntervalSinceReferenceDate, forKey: .receivedAt)
        try container.encode(history ?? TokenHistory(beginningWith: self), forKey: .history)
    }
}

extension NetworkTokens: Redacted {
    var redactedSummary: String {
        "redacted, \(expiresIn.map { "valid for \($0)" } ?? "no expiry known")"
    }
}

/// The credential that authenticated requests carry, as `Authorization: Bearer …` (RFC 6750).
///
/// Printed, interpolated or dumped it does not show itself; coded, it is the plain string.
public struct AccessToken: RawRepresentable, Hashable, Sendable, Codable {
    /// The token as the server issued it.
    public let rawValue: String

    /// The token that the server issued as `rawValue`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension AccessToken: Redacted {
    var redactedSummary: String { "redacted" }
}

/// The credential that buys the next ``NetworkTokens`` when the access token is worn out (RFC 6749 section 1.5).
///
/// Printed, interpolated or dumped it does not show itself; coded, it is the plain string.
public struct RefreshToken: RawRepresentable, Hashable, Sendable, Codable {
    /// The token as the server issued it.
    public let rawValue: String

    /// The token that the server issued as `rawValue`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension RefreshToken: Redacted {
    var redactedSummary: String { "redacted" }
}
