/// An event of a session that the app learns from `onEvent`, because no single request reports it.
public struct NetworkSessionEvent: Sendable {
    /// The kind of a session event.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The name of the kind.
        public let description: String

        /// The session has ended, and the user must log in again.
        ///
        /// The server no longer accepts its tokens, or another process that shares the vault has
        /// signed out. The event arrives once per session, before the waiting requests fail. It
        /// never arrives for a session that was signed out.
        public static let expired = Kind(description: "expired")

        /// The vault failed to load, lock, save or clear the tokens.
        ///
        /// The session continues in memory. The next launch may find tokens that are too old, or
        /// tokens that should be gone.
        public static let vaultFailed = Kind(description: "vaultFailed")

        /// Tokens from a refresh that ended after the sign-out could not be revoked.
        ///
        /// The session discards them. They stay valid on the server until they expire.
        public static let revocationFailed = Kind(description: "revocationFailed")
    }

    /// The kind of this event.
    public let kind: Kind

    /// The underlying error.
    ///
    /// For ``Kind/expired`` it is the server's refusal, or `nil` if there was none. For
    /// ``Kind/vaultFailed`` it is the error of the vault, and for ``Kind/revocationFailed`` the
    /// error of the revocation.
    public let cause: (any Error)?

    package init(kind: Kind, cause: (any Error)?) {
        self.kind = kind
        self.cause = cause
    }
}
