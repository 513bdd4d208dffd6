public import CampusModels

/// What can be done in the settings: too much that belongs together for closures one by one.
///
/// Its methods are called on the window's actor. What they throw is shown where it was asked for, in the words of a
/// `DisplayError` if it is one.
public protocol SettingsActions {
    /// The user as the app has it.
    func knownUser() async throws -> User

    /// The user as the server has it now.
    func user() async throws -> User

    /// The user's sessions.
    func sessions() async throws -> [UserSession]

    /// Logs the user out of another session.
    func endSession(_ id: UserSession.ID) async throws

    /// Logs the user out of all other sessions.
    func endOtherSessions() async throws
}
