public import Backplane

/// The user's profile and sessions.
public enum Settings: BoardContract {
    /// The user's choice.
    public enum Output: Codable, Hashable, Sendable {
        /// The user logs out.
        case logOut
    }

    /// The commands from other boards.
    public enum Command: Codable, Hashable, Sendable {
        /// The user has asked to log out, and stays.
        case stay
    }
}
