public import Backplane
public import CampusModels
public import Screens
import SettingsInterface

/// The settings feature.
public struct SettingsModule: BoardModule {
    private let navigation: Navigation
    private let actions: SettingsActions

    /// The feature.
    ///
    /// - Parameters:
    ///   - navigation: where the screen is shown.
    ///   - actions: brings what the screen shows, and does what is asked there.
    public init(navigation: Navigation, actions: SettingsActions) {
        self.navigation = navigation
        self.actions = actions
    }

    /// Registers the settings board and its link.
    public func register(on motherboard: Motherboard) {
        motherboard.register(.settings, reuse: .perActivation) { slot in
            SettingsBoard(slot: slot, navigation: navigation, actions: actions)
        }
        motherboard.registerLink("settings", to: .settings)
    }
}

/// What can be done in the settings: a closure for each action.
///
/// What they throw is shown where it was asked for, in the words of a ``DisplayError`` if it is one.
public struct SettingsActions {
    let user: () async throws -> User
    let sync: () async throws -> User
    let sessions: () async throws -> [UserSession]
    let endSession: (UserSession.ID) async throws -> Void
    let endOtherSessions: () async throws -> Void

    /// The closures, each called on the window's actor.
    ///
    /// - Parameters:
    ///   - user: the user as the app has it.
    ///   - sync: brings the user up to date.
    ///   - sessions: brings the user's sessions.
    ///   - endSession: logs the user out of another session.
    ///   - endOtherSessions: logs the user out of all other sessions.
    public init(
        user: @escaping () async throws -> User,
        sync: @escaping () async throws -> User,
        sessions: @escaping () async throws -> [UserSession],
        endSession: @escaping (UserSession.ID) async throws -> Void,
        endOtherSessions: @escaping () async throws -> Void
    ) {
        self.user = user
        self.sync = sync
        self.sessions = sessions
        self.endSession = endSession
        self.endOtherSessions = endOtherSessions
    }
}
