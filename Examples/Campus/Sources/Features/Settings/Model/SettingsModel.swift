public import BackplaneFeatures
public import CampusModels
public import Observation
public import Screens

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
    /// Whether the user has asked for a sync.
    private var wantsSync = false
    private var isLeaving = false
    private let actions: any SettingsActions
    private let performer: ActionPerformer
    private let onSignOut: () -> Void

    /// Creates settings that have not loaded anything yet.
    ///
    /// - Parameters:
    ///   - actions: loads the contents, and ends other sessions.
    ///   - users: the store of the user; `nil` if no other screen shares it.
    ///   - performer: runs the actions that end sessions.
    ///   - onSignOut: signs the user out of this session.
    public init(
        actions: any SettingsActions,
        users: RecordStore<NoID, User>? = nil,
        performer: ActionPerformer,
        onSignOut: @escaping () -> Void
    ) {
        self.actions = actions
        self.performer = performer
        self.onSignOut = onSignOut
        // The first load shows the user that the app knows. Later loads ask the server.
        var isFirst = true
        user = Loader(store: users) {
            defer { isFirst = false }
            return isFirst ? try await actions.knownUser() : try await actions.user()
        }
        sessions = Loader { try await actions.sessions() }
    }

    // MARK: State

    /// Whether a session is being ended; meanwhile the user cannot end another one.
    public var isEnding: Bool { isLeaving || performer.isPerforming }

    /// The reason why the last attempt to end a session failed, as a text for the user; `nil` if it
    /// has not failed.
    public var problem: String? {
        performer.error.map { DisplayError.message(of: $0, else: "The session could not be ended. Try again.") }
    }

    /// Whether a part is loading, or a session is being ended.
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

    /// Ends a session of the list; to end the current session means to sign out.
    ///
    /// An unknown session is ignored, and so is every session while another one is being ended.
    public func end(_ id: DeviceSession.ID) {
        guard !isEnding, let session = sessions.value?.first(where: { $0.id == id }) else { return }
        if session.isCurrent {
            isLeaving = true
            onSignOut()
        } else {
            end { try await $0.endSession(id) }
        }
    }

    /// Ends all other sessions, unless a session is being ended.
    public func endOtherSessions() {
        if !isEnding { end { try await $0.endOtherSessions() } }
    }

    private func end(_ action: @escaping (any SettingsActions) async throws -> Void) {
        performer.perform {
            // Also after a failure, because the session may no longer exist.
            defer { self.sessions.reload() }
            try await action(self.actions)
        }
    }

    // MARK: Calls of the board

    /// Loads the user and the sessions, on the window's actor.
    public func load(on owner: any Actor) {
        user.load(on: owner)
        sessions.load(on: owner)
    }

    /// Continues, because the user does not sign out.
    public func stay() {
        isLeaving = false
    }
}
