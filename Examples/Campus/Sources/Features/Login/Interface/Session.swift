public import Backplane
public import CampusAccounts

/// The scope of a signed-in user, whose boards are created with the account.
public enum Session: BoardContract {
    /// The account of the user.
    public typealias Input = any Account

    /// The commands from boards inside the scope.
    public enum Command: Codable, Hashable, Sendable {
        /// Signs the user out, in this window and in all other windows.
        case signOut
    }
}
