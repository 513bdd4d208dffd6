/// The reason why a user is no longer signed in.
///
/// ```swift
/// if await account.ended() == .expired { show("You have been signed out. Sign in again.") }
/// ```
public enum AccountEnding: Hashable, Sendable {
    /// The app called ``UserSession/signOut()``.
    case signedOut
    /// The server no longer accepts the tokens.
    ///
    /// The account continues if the same user signs in again.
    case expired
    /// Another user has signed in.
    case replaced
}
