/// The rest of a sign-out that has taken effect; it continues even if no task waits for it.
package struct PendingSignOut: Sendable {
    /// Revokes the tokens on the server.
    package let revoking: Task<Void, any Error>

    /// Clears the vault.
    ///
    /// After it, the controller changes the vault only if a user signs in to that controller again.
    package let clearing: Task<Void, any Error>
}
