public import Backplane
public import CampusAccounts

/// Provides the account: at once if a user is logged in, and otherwise after the login form.
public enum Login: BoardContract {
    /// The account of the user.
    public typealias Output = any Account
}

extension BoardID<Login> {
    /// The login board, which is also the entrance of the session.
    public static var login: Self { "login" }
}
