public import BackplaneFeatures
public import CampusModels
public import Observation
public import Screens

/// The board of the settings.
public protocol SettingsDelegate: AnyObject {
    /// Logs the user out of another session.
    func end(_ session: DeviceSession.ID)
    /// Logs the user out of all other sessions.
    func endOtherSessions()
    /// Logs the user out of this session.
    func logOut()
}

/// The settings, with the user and the user's sessions, which can be ended.
@Observable
public final class SettingsModel: Screen {
    /// A part of the settings that can be loaded again; a raw value is the ID of its section.
    public enum Part: String {
        /// The user.
        case user
        /// The user's sessions.
        case sessions
    }

    /// The deep link of the settings.
    public let path = "/settings"
    /// The loader of the user, which first returns the user that the app already knows.
    public let user: Loader<NoID, User>
    /// The loader of the user's sessions.
    public let sessions: Loader<NoID, [DeviceSession]>
    /// The reason why the last attempt to end a session failed, as a text for the user; `nil` if it
    /// has not failed.
    public private(set) var problem: String?
    /// Whether the board is ending a session; meanwhile the user cannot end another one.
    public private(set) var isEnding = false
    /// Whether the user has asked for a sync.
    private var wantsSync = false
    /// The board, which must be set before the user ends a session.
    @ObservationIgnored public weak var delegate: (any SettingsDelegate)?

    /// Creates settings that have not loaded anything yet.
    public init(actions: any SettingsActions) {
        // The first load shows the user that the app knows. Later loads ask the server.
        var isFirst = true
        user = Loader {
            defer { isFirst = false }
            return isFirst ? try await actions.knownUser() : try await actions.user()
        }
        sessions = Loader { try await actions.sessions() }
    }

    // MARK: State

    /// Whether a part is loading, or the board is ending a session.
    public var isBusy: Bool { isEnding || user.state.isLoading || sessions.state.isLoading }

    /// Whether a sync is running.
    public var isSyncing: Bool { wantsSync && user.state.isLoading }

    /// Whether the last sync has succeeded.
    public var isSynced: Bool { wantsSync && !user.state.isLoading && user.state.error == nil }

    /// Whether the list contains sessions other than the current one.
    public var hasOtherSessions: Bool { sessions.value?.contains { !$0.isCurrent } ?? false }

    // MARK: Actions of the user

    /// Loads a part again after a failure.
    public func retry(_ part: Part) {
        switch part {
        case .user: user.retry()
        case .sessions: sessions.retry()
        }
    }

    /// Loads the user from the server.
    public func sync() {
        wantsSync = true
        user.reload()
    }

    /// Ends a session of the list; to end the current session means to log out.
    ///
    /// An unknown session is ignored, and so is every session while another one is being ended.
    public func end(_ id: DeviceSession.ID) {
        guard let session = sessions.value?.first(where: { $0.id == id }) else { return }
        end { delegate in if session.isCurrent { delegate.logOut() } else { delegate.end(id) } }
    }

    /// Ends all other sessions, unless a session is being ended.
    public func endOtherSessions() {
        end { $0.endOtherSessions() }
    }

    private func end(_ ask: (any SettingsDelegate) -> Void) {
        guard !isEnding, let delegate else { return }
        isEnding = true
        problem = nil
        ask(delegate)
    }

    // MARK: Calls of the board

    /// Loads the user and the sessions, on the window's actor.
    public func load(on owner: any Actor) {
        user.load(on: owner)
        sessions.load(on: owner)
    }

    /// Shows the sessions that are left, after sessions have ended.
    public func didEndSessions() {
        isEnding = false
        sessions.reload()
    }

    /// Shows the error of the attempt to end a session.
    public func fail(with error: any Error) {
        isEnding = false
        problem = DisplayError.message(of: error, else: "The session could not be ended. Try again.")
        // The session may no longer exist.
        sessions.reload()
    }
}
