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
