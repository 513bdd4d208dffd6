public import Backplane

/// The user's own affairs: who they are, and where they are logged in.
public enum Settings: BoardContract {
    /// What the user chose.
    public enum Output: Codable, Hashable, Sendable {
        /// To leave.
        case logOut
    }
}

extension BoardID<Settings> {
    /// The settings board.
    public static var settings: Self { "settings" }
}
