public import Observation
public import Screens

/// The settings, with the user and the user's sessions: the view of a component.
///
/// A face shows what the presenter says, and passes the user's actions to the interactor.
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
    /// Performs the user's actions.
    public let interactor: SettingsInteractor

    /// Creates the view of a component.
    public init(_ interactor: SettingsInteractor) {
        self.interactor = interactor
    }

    /// Says what to show.
    public var presenter: SettingsPresenter { SettingsPresenter(interactor) }

    /// Whether a part is loading, or a session is being ended.
    public var isBusy: Bool { interactor.isBusy }
}
