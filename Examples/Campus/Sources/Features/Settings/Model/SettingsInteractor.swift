public import BackplaneFeatures
public import CampusModels
public import Observation

/// The messages of the settings to their board.
public protocol SettingsDelegate: AnyObject {
    /// Signs the user out of this session.
    func signOut()
}

/// The messages of the board to the settings.
public protocol SettingsControllable: AnyObject {
    /// Continues, because the user does not sign out.
    func stay()
}

/// Loads the user and the user's sessions, and performs the user's actions.
@Observable
public final class SettingsInteractor: SettingsControllable {
    /// The loader of the user, which first returns the user that the app already knows.
    public let user: Loader<NoID, User>
    /// The loader of the user's sessions.
    public let sessions: Loader<NoID, [DeviceSession]>
    /// Whether the user has asked for a sync.
    private(set) var wantsSync = false
    private var isLeaving = false
    private let actions: any SettingsActions
    private let performer: ActionPerformer
    @ObservationIgnored private weak var delegate: (any SettingsDelegate)?

    /// Creates an interactor that has not loaded anything yet.
    ///
    /// - Parameters:
    ///   - actions: loads the contents, and ends other sessions.
    ///   - users: the store of the user; `nil` if no other screen shares it.
    ///   - performer: runs the actions that end sessions.
    ///   - delegate: the board, which is not kept alive.
    public init(
        actions: any SettingsActions,
        users: RecordStore<NoID, User>? = nil,
        performer: ActionPerformer,
        delegate: any SettingsDelegate
    ) {
        self.actions = actions
        self.performer = performer
        self.delegate = delegate
        // The first load shows the user that the app knows. Later loads ask the server.
        var isFirst = true
        user = Loader(store: users) {
            defer { isFirst = false }
            return isFirst ? try await actions.knownUser() : try await actions.user()
        }
        sessions = Loader { try await actions.sessions() }
    }

    /// Whether a session is being ended; meanwhile the user cannot end another one.
    public var isEnding: Bool { isLeaving || performer.isPerforming }

    /// The error of the last attempt to end a session; `nil` if it has not failed.
    var error: (any Error)? { performer.error }

    /// Whether a part is loading, or a session is being ended.
    var isBusy: Bool { isEnding || user.state.isLoading || sessions.state.isLoading }

    // MARK: Actions of the user

    /// Loads a part again after a failure.
    public func retry(_ part: SettingsModel.Part) {
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
            delegate?.signOut()
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

    /// Continues, because the user does not sign out.
    public func stay() {
        isLeaving = false
    }
}
