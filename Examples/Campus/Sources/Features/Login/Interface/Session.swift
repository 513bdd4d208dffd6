public import Backplane
public import CampusAccounts

/// Everything that is for whoever is logged in: a scope, whose boards are made with the account.
public enum Session: BoardContract {
    /// The account.
    public typealias Input = any Account

    /// What boards inside may tell it.
    public enum Command: Codable, Hashable, Sendable {
        /// To log the user out, here and in every other window.
        case logOut
    }
}

extension BoardID<Session> {
    /// The session.
    public static var session: Self { "session" }
}
