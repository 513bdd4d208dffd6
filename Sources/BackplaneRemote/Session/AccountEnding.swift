/// The reason why a user is no longer signed in.
///
/// ```swift
/// if await account.ended() == .expired { show("You have been signed out. Log in again.") }
/// ```
public enum AccountEnding: Hashable, Sendable {
    /// The app called ``UserSession/signOut()``.
    case signedOut
    /// The server no longer accepts the tokens.
    ///
    /// The account continues if the same user logs in again.
    case expired
    /// Another user has logged in.
    case replaced
}
