public import Backplane

/// The user's profile and sessions.
public enum Settings: BoardContract {
    /// The user's choice.
    public enum Output: Codable, Hashable, Sendable {
        /// The user signs out.
        case signOut
    }

    /// The commands from other boards.
    public enum Command: Codable, Hashable, Sendable {
        /// The user has asked to sign out, and stays.
        case stay
    }
}
