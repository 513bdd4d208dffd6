public import Backplane

/// The user's profile and sessions.
public enum Settings: BoardContract {
    /// The commands from other boards.
    public enum Command: Codable, Hashable, Sendable {
        /// The user has asked to sign out, and stays.
        case stay
    }
}
