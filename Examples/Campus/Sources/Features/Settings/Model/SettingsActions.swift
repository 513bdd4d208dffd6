public import CampusModels

/// The requests of the settings screen; a protocol, because one type implements them all.
///
/// The methods are called on the window's actor. The screen shows the errors that they throw; the
/// text of a `LocalizedError` is shown as it is.
public protocol SettingsActions {
    /// Returns the user that the app already knows.
    func knownUser() async throws -> User

    /// Loads the user from the server.
    func user() async throws -> User

    /// Loads the user's sessions.
    func sessions() async throws -> [DeviceSession]

    /// Signs the user out of another session.
    func endSession(_ id: DeviceSession.ID) async throws

    /// Signs the user out of all other sessions.
    func endOtherSessions() async throws
}
