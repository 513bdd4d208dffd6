import CampusModels
public import Observation
public import Screens

/// The settings, with the user and the user's sessions: the view of a component.
///
/// A face shows what the presenter says, and passes the user's actions to the interactor.
@Observable
public final class SettingsModel: EventScreen {
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

extension SettingsModel {
    /// The actions of the user, by the names that forms and commands have.
    public enum Event: String, CaseIterable {
        /// Loads the user from the server.
        case sync
        /// Ends the session in the field `session`.
        case end
        /// Ends all other sessions.
        case endOthers = "end-others"
        /// Loads the part in the field `section` again after a failure.
        case retry
    }

    /// Performs an action of the user; fields that are missing or malformed change nothing.
    public func perform(_ event: Event, _ fields: EventFields) {
        switch event {
        case .sync: interactor.sync()
        case .end: if let session = fields.value("session", as: DeviceSession.ID.self) { interactor.end(session) }
        case .endOthers: interactor.endOtherSessions()
        case .retry: if let part: Part = fields.value("section") { interactor.retry(part) }
        }
    }
}
