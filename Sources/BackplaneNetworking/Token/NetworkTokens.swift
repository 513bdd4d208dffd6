public import Foundation

/// The tokens of one user: an access token, and a refresh token to replace it.
///
/// The type decodes from an OAuth 2.0 token response (RFC 6749 section 5.1: `access_token`,
/// `refresh_token`, `expires_in` in seconds). It also accepts these names in camel case. Most login
/// and refresh endpoints therefore need no other response type. For the others, use
/// ``Endpoint/map(_:)``.
///
/// Printing or dumping the value does not show the tokens. **The encoded form contains them.** It
/// is meant for a ``TokenVault``. Keep all of it, because it also contains notes of the session for
/// the next run of the app.
public struct NetworkTokens: Sendable {
    /// The token for requests.
    public let access: AccessToken

    /// The token for a refresh.
    ///
    /// In the response to a refresh, `nil` means that the old refresh token stays valid (RFC 6749
    /// section 6). After a login, `nil` means that the session ends with its access token.
    public let refresh: RefreshToken?

    /// The time that the access token is valid from its arrival on, or `nil` if the server does
    /// not say.
    package let expiresIn: Duration?

    /// The time when the tokens arrived, by the device's calendar clock.
    ///
    /// It only serves to find the age of tokens from a vault. While the app runs, a monotonic clock
    /// measures the age, because nobody can set that clock.
    package let receivedAt: Date

    /// The notes of a session about these tokens; `nil` until a session or a vault has had them.
    var history: TokenHistory?

    /// Creates tokens received at `receivedAt`, by default now.
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

    /// Returns these tokens as the result of a refresh of `predecessor`.
    ///
    /// The result keeps the refresh token of `predecessor` unless these tokens have their own.
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

    /// Returns these tokens with precedence over `others` of the same session.
    func outranking(_ others: NetworkTokens?) -> NetworkTokens {
        guard let history, let others = others?.history, others.generation >= history.generation else { return self }
        var tokens = self
        tokens.history = TokenHistory(session: history.session, generation: others.generation + 1)
        return tokens
    }

    /// These tokens with the note that a refresh of them has begun and may have used them up (N11).
    var beingRefreshed: NetworkTokens {
        var tokens = self
        tokens.history = history ?? TokenHistory(beginningWith: self)
        tokens.history?.isBeingRefreshed = true
        return tokens
    }

    /// These tokens with the note that a vault holds them (N19).
    package var stored: NetworkTokens {
        var tokens = self
        tokens.history = history ?? TokenHistory(beginningWith: self)
        tokens.history?.wasStored = true
        return tokens
    }

    /// Returns whether the tokens are valid at `date` as far as known, and no refresh may have used
    /// them up.
    func isUsable(at date: Date) -> Bool {
        history?.isBeingRefreshed != true && remainingLifetime(at: date).map { $0 > .zero } ?? true
    }

    /// Returns how long before its end an access token is replaced: 30 seconds, or a tenth of a
    /// short lifetime.
    ///
    /// The margin keeps the token from expiring on its way to the server.
    static func margin(of lifetime: Duration) -> Duration { min(.seconds(30), lifetime / 10) }

    /// Returns the remaining lifetime of the access token at `date`: negative after its end, `nil`
    /// if unknown.
    func remainingLifetime(at date: Date) -> Duration? {
        // A calendar clock that was set back must not make the tokens younger than new.
        expiresIn.map { $0 - (.clamped(seconds: max(0, date.timeIntervalSince(receivedAt))) ?? .zero) }
    }
}

extension NetworkTokens: Equatable {
    /// Returns whether both have the same tokens; the notes of a session are not compared.
    public static func == (left: NetworkTokens, right: NetworkTokens) -> Bool {
        left.access == right.access && left.refresh == right.refresh && left.expiresIn == right.expiresIn
            && left.receivedAt == right.receivedAt
    }
}

extension NetworkTokens: Codable {
    private enum CodingKeys: String, CodingKey {
        case access = "access_token"
        case refresh = "refresh_token"
        case expiresIn = "expires_in"
        case receivedAt = "received_at"
        case history
        // Some servers use camel case, and so does a decoder that converts the keys.
        case camelAccess = "accessToken"
        case camelRefresh = "refreshToken"
        case camelExpiresIn = "expiresIn"
    }

    /// Creates tokens from a token response, received now, or from a vault, received at the
    /// recorded time.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let isCamel = !container.contains(.access)
        access = try container.decode(AccessToken.self, forKey: isCamel ? .camelAccess : .access)
        // An empty token is none (N32), and must not replace a refresh token.
        guard !access.rawValue.isEmpty else { throw container.error(for: .access, "The access token is empty.") }
        let refresh = try container.decodeIfPresent(RefreshToken.self, forKey: isCamel ? .camelRefresh : .refresh)
        self.refresh = refresh?.rawValue.isEmpty == true ? nil : refresh
        expiresIn = try container.seconds(forKey: isCamel ? .camelExpiresIn : .expiresIn)
        // Only a vault has both: a server may use these names for something else (N32).
        //
        // A number, because the form of a `Date` depends on the coder's strategy. It counts from
        // 2001 like `Date` itself, so it decodes to the same value.
        let received = try? container.decodeIfPresent(Double.self, forKey: .receivedAt)
        history = received == nil ? nil : try? container.decodeIfPresent(TokenHistory.self, forKey: .history)
        receivedAt = history.flatMap { _ in received }.map { Date(timeIntervalSinceReferenceDate: $0) } ?? Date()
    }

    /// Encodes the tokens for a vault.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(access, forKey: .access)
        try container.encodeIfPresent(refresh, forKey: .refresh)
        try container.encodeIfPresent(expiresIn.map { $0 / .seconds(1) }, forKey: .expiresIn)
        try container.encode(receivedAt.timeIntervalSinceReferenceDate, forKey: .receivedAt)
        try container.encode(history ?? TokenHistory(beginningWith: self), forKey: .history)
    }
}

extension KeyedDecodingContainer {
    /// Returns a number of seconds, which some servers send as a string.
    fileprivate func seconds(forKey key: Key) throws -> Duration? {
        let text = try? decode(String.self, forKey: key)
        guard let seconds = try text.flatMap(Double.init) ?? decodeIfPresent(Double.self, forKey: key) else {
            return nil
        }
        guard let duration = Duration.clamped(seconds: seconds) else {
            throw error(for: key, "This is not a number of seconds.")
        }
        return duration
    }

    fileprivate func error(for key: Key, _ description: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: description)
    }
}

extension NetworkTokens: Redacted {
    var redactedSummary: String {
        "redacted, \(expiresIn.map { "valid for \($0)" } ?? "no expiry known")"
    }
}

/// The credential of authenticated requests, sent as `Authorization: Bearer …` (RFC 6750).
///
/// Printing, interpolating or dumping it does not show the token. The encoded form is the plain
/// string.
public struct AccessToken: RawRepresentable, Hashable, Sendable, Codable {
    /// The token as the server issued it.
    public let rawValue: String

    /// Creates the token that the server issued as `rawValue`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension AccessToken: Redacted {
    var redactedSummary: String { "redacted" }
}

/// The credential for a refresh, which returns the next ``NetworkTokens`` (RFC 6749 section 1.5).
///
/// Printing, interpolating or dumping it does not show the token. The encoded form is the plain
/// string.
public struct RefreshToken: RawRepresentable, Hashable, Sendable, Codable {
    /// The token as the server issued it.
    public let rawValue: String

    /// Creates the token that the server issued as `rawValue`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension RefreshToken: Redacted {
    var redactedSummary: String { "redacted" }
}
