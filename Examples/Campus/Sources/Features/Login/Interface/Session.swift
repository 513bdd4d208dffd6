public import Backplane
public import CampusAccounts

/// The scope of a signed-in user, whose boards are created with the account.
public enum Session: BoardContract {
    /// The account of the user.
    public typealias Input = any Account
}

/// The actions that boards inside the session send up to it.
public enum SessionAction: BoardFlowAction, Codable, Hashable, Sendable {
    /// Signs the user out, in this window and in all other windows.
    case signOut
}
