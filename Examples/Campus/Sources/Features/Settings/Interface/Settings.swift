public import Backplane

/// The user's profile and sessions.
public enum Settings: BoardContract {
    /// The user's choice.
    public enum Output: Codable, Hashable, Sendable {
        /// The user logs out.
        case logOut
    }
}

extension BoardID<Settings> {
    /// The settings board.
    public static var settings: Self { "settings" }
}
