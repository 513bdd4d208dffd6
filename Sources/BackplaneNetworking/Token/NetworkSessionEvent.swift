/// Something that happened to a session without a request being there to be told.
public struct NetworkSessionEvent: Sendable {
    /// What happened.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name.
        public let description: String

        /// The session is over because the server no longer accepts its tokens, or because another process that shares the
        /// vault has signed out: log in again.
        ///
        /// It comes once per session, before the requests that wait fail, and never for one that was signed out.
        public static let expired = Kind(description: "expired")

        /// The vault could not save or clear the tokens.
        ///
        /// The session goes on in memory; the next launch may find tokens that are too old, or that should be gone.
        public static let vaultFailed = Kind(description: "vaultFailed")

        /// Tokens that a refresh brought after the user had signed out could not be revoked.
        ///
        /// They are dropped, and stay valid on the server until they expire.
        public static let revocationFailed = Kind(description: "revocationFailed")
    }

    /// What happened.
    public let kind: Kind

    /// The error behind it: for ``Kind/expired`` the server's refusal, if there was one, for ``Kind/vaultFailed`` the vault's error, for
    /// ``Kind/revocationFailed`` that of the revocation.
    public let cause: (any Error)?
}
