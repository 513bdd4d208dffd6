import BackplaneFeatures
import CampusModels
import DashboardInterface
import Screens
public import SettingsModels
public import WebHost

/// The settings in a browser.
public struct SettingsWebFace: WebFace {
    private typealias Part = SettingsModel.Part

    struct UserModel: Sendable {
        let name: String
        let email: String
        let isSyncing: Bool
        let isSynced: Bool
    }

    struct SessionsModel: Sendable {
        let sessions: [SessionModel]
        let hasOthers: Bool
        /// Whether a session is being ended, so that the user cannot end another one.
        let isEnding: Bool
        /// The reason why the last attempt to end a session failed; `nil` if it did not fail.
        let refusal: String?
    }

    struct SessionModel: Sendable {
        let id: String
        let label: String
        let begun: Moment
        let refreshed: Moment
        let isCurrent: Bool
    }

    /// The templates of the sections.
    public let templates = [
        "settings/user": WebTemplate(PackageResources.user_mustache),
        "settings/sessions": WebTemplate(PackageResources.sessions_mustache),
    ]

    /// Creates the face.
    public init() {}

    /// The title of the settings.
    public func title(of settings: SettingsModel) -> String { "Settings" }

    /// The way back, the user, and the sessions with a button for each.
    public func sections(of settings: SettingsModel) -> [Section] {
        [
            .breadcrumb(BarEntry("Dashboard", path: Dashboard.path)) { title(of: settings) },
            Section(id: Part.user.rawValue, template: "settings/user", loader: settings.interactor.user) {
                UserModel(
                    name: $0.name,
                    email: $0.email,
                    isSyncing: settings.presenter.isSyncing,
                    isSynced: settings.presenter.isSynced
                )
            },
            Section(id: Part.sessions.rawValue, template: "settings/sessions", loader: settings.interactor.sessions) {
                sessions in
                SessionsModel(
                    sessions: sessions.map { model(of: $0, in: settings) },
                    hasOthers: settings.presenter.hasOtherSessions,
                    isEnding: settings.interactor.isEnding,
                    refusal: settings.presenter.problem
                )
            },
        ]
    }

    private func model(of session: DeviceSession, in settings: SettingsModel) -> SessionModel {
        SessionModel(
            id: session.id.rawValue,
            label: settings.presenter.label(of: session),
            begun: Moment(session.begunAt.date),
            refreshed: Moment(session.refreshedAt.date),
            isCurrent: session.isCurrent
        )
    }
}
