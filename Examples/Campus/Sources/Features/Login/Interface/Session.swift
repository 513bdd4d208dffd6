public import Backplane
public import CampusAccounts

/// The scope for a signed-in user, whose boards are made with the account.
public enum Session: BoardContract {
    /// The account.
    public typealias Input = any Account

    /// The commands from boards inside.
    public enum Command: Codable, Hashable, Sendable {
        /// To log the user out, here and in every other window.
        case logOut
    }
}

extension BoardID<Session> {
    /// The session.
    public static var session: Self { "session" }
}
