/// A verifier that checks passwords one at a time, so that many log-ins occupy only one core.
actor PasswordVerifier {
    /// The hash for unknown users, so that the response takes as long as for known users.
    private let decoy: PasswordHash

    /// Creates a verifier of passwords that are hashed with `cost`.
    init(cost: PasswordCost) throws {
        decoy = try PasswordHash(password: "", cost: cost)
    }

    /// Returns whether `hash` belongs to `password`.
    ///
    /// For an unknown user, `hash` is `nil`. Then it returns `false`, after the same work.
    func verify(_ password: String, against hash: PasswordHash?) throws -> Bool {
        let matches = try (hash ?? decoy).matches(password)
        return hash != nil && matches
    }
}
