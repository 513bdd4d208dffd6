public import Backplane
public import CampusAccounts

/// Provides the account: at once if a user is signed in, and otherwise after the login form.
public enum Login: BoardContract {
    /// The account of the user.
    public typealias Output = any Account
}
