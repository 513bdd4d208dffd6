import BackplaneFeatures
import CampusModels
import Screens
public import SettingsModels
public import TerminalHost

/// The settings in a terminal.
public struct SettingsTerminalFace: TerminalFace {
    private typealias Part = SettingsModel.Part

    /// Creates the face.
    public init() {}

    /// The title of the settings.
    public func title(of settings: SettingsModel) -> String { "Settings" }

    /// The user, and a line for each session.
    public func sections(of settings: SettingsModel) -> [TextSection] {
        [
            TextSection(Part.user.rawValue, settings.interactor.user) { user in
                [TextSection.line("name", user.name), TextSection.line("email", user.email)]
            },
            TextSection(Part.sessions.rawValue, settings.interactor.sessions) { lines(of: $0, in: settings) },
        ]
    }

    private func lines(of sessions: [DeviceSession], in settings: SettingsModel) -> [String] {
        var lines = ["sessions: none"]
        if !sessions.isEmpty {
            lines = ["sessions:"] + TextSection.list(sessions) { row(of: $0, in: settings) }.map { "  \($0)" }
        }
        if settings.presenter.hasOtherSessions { lines.append("has others") }
        if let problem = settings.presenter.problem { lines.append(TextSection.line("refusal", problem)) }
        return lines
    }

    private func row(of session: DeviceSession, in settings: SettingsModel) -> String {
        var values = [session.id.rawValue, settings.presenter.label(of: session)]
        values += [session.begunAt, session.refreshedAt].map { Moment($0.date).text }
        if session.isCurrent { values.append("current") }
        return TextSection.row(values)
    }
}
