import BackplaneFeatures
public import CampusModels
import Screens

/// Turns the state of the settings into what a face shows; it keeps no state.
public struct SettingsPresenter {
    private let interactor: SettingsInteractor

    init(_ interactor: SettingsInteractor) {
        self.interactor = interactor
    }

    /// Whether a sync is running.
    public var isSyncing: Bool { interactor.wantsSync && interactor.user.state.isLoading }

    /// Whether the last sync has succeeded.
    public var isSynced: Bool {
        interactor.wantsSync && !interactor.user.state.isLoading && interactor.user.state.error == nil
    }

    /// Whether the list contains sessions other than the current one.
    public var hasOtherSessions: Bool { interactor.sessions.value?.contains { !$0.isCurrent } ?? false }

    /// The reason why the last attempt to end a session failed, as a text for the user; `nil` if it
    /// has not failed.
    public var problem: String? {
        interactor.error.map { DisplayError.message(of: $0, else: "The session could not be ended. Try again.") }
    }

    /// Returns the client of a session, as a text for the user.
    public func label(of session: DeviceSession) -> String { session.label ?? "Unknown client" }
}
