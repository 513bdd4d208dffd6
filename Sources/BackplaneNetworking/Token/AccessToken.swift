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
