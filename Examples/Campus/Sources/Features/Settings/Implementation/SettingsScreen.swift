import BackplaneFeatures
import CampusModels
import Foundation
import Observation
import Screens

/// The board of the settings screen.
protocol SettingsDelegate: AnyObject {
    /// Logs the user out of another session.
    func end(_ session: UserSession.ID)
    /// Logs the user out of all other sessions.
    func endOtherSessions()
    /// Logs the user out of this session.
    func logOut()
}

/// A screen with the user and the user's sessions, each with a button that ends it.
@Observable
final class SettingsScreen: Screen {
    struct UserModel: Sendable {
        let name: String
        let email: String
    }

    struct SessionsModel: Sendable {
        let sessions: [SessionModel]
        let hasOthers: Bool
        /// The reason why the last attempt to end a session failed; `nil` if it did not fail.
        let refusal: String?
    }

    struct SessionModel: Sendable {
        let id: String
        let label: String
        let begun: String
        let refreshed: String
        let isCurrent: Bool
    }

    let title = "Settings"
    let path = "/settings"
    @ObservationIgnored weak var delegate: (any SettingsDelegate)?
    private let user: Loader<Sole, User>
    private let sessions: Loader<Sole, [UserSession]>
    /// Whether the board is ending a session; meanwhile the user cannot end another one.
    private var isEnding = false
    private var refusal: String?

    init(actions: any SettingsActions) {
        // The first load shows the user that the app knows. Later loads ask the server.
        var isFirst = true
        user = Loader {
            defer { isFirst = false }
            return isFirst ? try await actions.knownUser() : try await actions.user()
        }
        sessions = Loader { try await actions.sessions() }
    }

    var isBusy: Bool { isEnding || user.state.isLoading || sessions.state.isLoading }

    var sections: [Section] {
        [
            Section(id: "user", template: "settings/user", loader: user) {
                UserModel(name: $0.name, email: $0.email)
            },
            Section(id: "sessions", template: "settings/sessions", loader: sessions) { sessions in
                SessionsModel(
                    sessions: sessions.map(Self.model),
                    hasOthers: sessions.contains { !$0.isCurrent },
                    refusal: self.refusal
                )
            },
        ]
    }

    private static func model(of session: UserSession) -> SessionModel {
        SessionModel(
            id: session.id.rawValue,
            label: session.label ?? "Unknown client",
            begun: text(of: session.begunAt),
            refreshed: text(of: session.refreshedAt),
            isCurrent: session.isCurrent
        )
    }

    private static func text(of moment: Timestamp) -> String {
        let style = Date.ISO8601FormatStyle().year().month().day().dateTimeSeparator(.space)
        return moment.date.formatted(style.time(includingFractionalSeconds: false)) + " UTC"
    }

    func load(on owner: any Actor) {
        user.load(.sole, on: owner)
        sessions.load(.sole, on: owner)
    }

    func handle(_ event: ScreenEvent) {
        switch event.name {
        case "sync": user.reload()
        case "end": if let id = event["session"] { end(UserSession.ID(rawValue: id)) }
        case "end-others": end { $0.endOtherSessions() }
        case "retry": retry(event["section"])
        default: break
        }
    }

    /// Ends a session; to end the current session means to log out.
    private func end(_ id: UserSession.ID) {
        guard let session = sessions.value?.first(where: { $0.id == id }) else { return }
        end { delegate in if session.isCurrent { delegate.logOut() } else { delegate.end(id) } }
    }

    private func end(_ ask: (any SettingsDelegate) -> Void) {
        guard !isEnding, let delegate else { return }
        isEnding = true
        refusal = nil
        ask(delegate)
    }

    private func retry(_ section: String?) {
        switch section {
        case "user": user.retry()
        case "sessions": sessions.retry()
        default: break
        }
    }

    func didEndSessions() {
        isEnding = false
        sessions.reload()
    }

    func show(_ error: any Error) {
        isEnding = false
        refusal = (error as? DisplayError)?.message ?? "The session could not be ended. Try again."
        // The session may no longer exist.
        sessions.reload()
    }
}
