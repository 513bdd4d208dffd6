internal import HTTPTypes

/// The rule of an endpoint for responses that refuse the access token.
struct AuthenticationRule: Hashable, Sendable {
    /// The rule of an endpoint that has none of its own.
    static let standard = AuthenticationRule()

    /// The statuses that refuse it.
    var statuses: Set<Int> = [401]
    /// The text that the field `WWW-Authenticate` must contain, too.
    var challenge: String?

    func isFailure(_ response: HTTPResponse) -> Bool {
        guard statuses.contains(response.status.code) else { return false }
        guard let challenge else { return true }
        return response.headerFields[.wwwAuthenticate]?.lowercased().contains(challenge.lowercased()) == true
    }
}

extension AuthenticationRule {
    /// The rule as a line of text: the statuses with commas between them, and the challenge.
    var text: String {
        let codes = statuses.sorted().map { "\($0)" }.joined(separator: ",")
        return challenge.map { "\(codes) \($0.filter { !$0.isNewline })" } ?? codes
    }

    /// Reads the text of a rule.
    init(text: some StringProtocol) {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        statuses = Set(parts[0].split(separator: ",").compactMap { Int($0) })
        challenge = parts.count > 1 ? String(parts[1]) : nil
    }
}
