public import Backplane
public import CampusAccounts

/// Finds out who is there: at once when somebody is logged in, otherwise by asking.
public enum Login: BoardContract {
    /// The account of the user.
    public typealias Output = any Account
}

extension BoardID<Login> {
    /// The login board, which is also the entrance of the session.
    public static var login: Self { "login" }
}
