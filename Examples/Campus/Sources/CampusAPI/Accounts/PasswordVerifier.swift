/// Checks passwords one at a time, so that a flood of log-ins keeps one core busy and not all of them.
actor PasswordVerifier {
    /// What the password of an unknown user is checked against, so that the answer takes as long as for a known one.
    private let decoy: PasswordHash

    /// A verifier of passwords that were hashed at `cost`.
    init(cost: PasswordCost) throws {
        decoy = try PasswordHash(password: "", cost: cost)
    }

    /// Whether `hash` is of `password`; never for an unknown user, who has no hash, but after the same work.
    func verify(_ password: String, against hash: PasswordHash?) throws -> Bool {
        let matches = try (hash ?? decoy).matches(password)
        return hash != nil && matches
    }
}
