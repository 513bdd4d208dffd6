import BackplaneFeatures
import CampusModels
import Foundation
import Screens
public import SettingsModels
public import TerminalHost

/// The settings in a terminal.
public struct SettingsTerminalFace: TerminalFace {
    /// The commands of the settings.
    public enum Command: String, CaseIterable {
        case sync
        /// Takes the argument `session`.
        case end
        case endOthers = "end-others"
        /// Takes the argument `section`.
        case retry
    }

    /// The sections that can be loaded again.
    private enum Part: String {
        case user
        case sessions
    }

    /// Creates the face.
    public init() {}

    /// The title of the settings.
    public func title(of settings: SettingsModel) -> String { "Settings" }

    /// The user, and a line for each session.
    public func sections(of settings: SettingsModel) -> [TextSection] {
        [
            TextSection("user", settings.user) { [line("name", $0.name), line("email", $0.email)] },
            TextSection("sessions", settings.sessions) { lines(of: $0, in: settings) },
        ]
    }

    private func lines(of sessions: [UserSession], in settings: SettingsModel) -> [String] {
        var lines = ["sessions: none"]
        if !sessions.isEmpty { lines = ["sessions:"] + TextSection.list(sessions, row).map { "  \($0)" } }
        if settings.hasOtherSessions { lines.append("has others") }
        if let error = settings.problem {
            let refusal = DisplayError(explaining: error)?.message ?? "The session could not be ended. Try again."
            lines.append(line("refusal", refusal))
        }
        return lines
    }

    private func row(of session: UserSession) -> String {
        var values = [session.id.rawValue, session.label ?? "Unknown client"]
        values += [text(of: session.begunAt), text(of: session.refreshedAt)]
        if session.isCurrent { values.append("current") }
        return values.filter { !$0.isEmpty }.joined(separator: " · ")
    }

    private func line(_ name: String, _ value: String) -> String {
        value.isEmpty ? "\(name):" : "\(name): \(value)"
    }

    private func text(of moment: Timestamp) -> String {
        let style = Date.ISO8601FormatStyle().year().month().day().dateTimeSeparator(.space)
        return moment.date.formatted(style.time(includingFractionalSeconds: false)) + " UTC"
    }

    /// Performs the user's command.
    public func handle(_ command: Command, _ arguments: TerminalArguments, on settings: SettingsModel) {
        switch command {
        case .sync: settings.sync()
        case .end: if let session = arguments.value("session", as: UserSession.ID.self) { settings.end(session) }
        case .endOthers: settings.endOtherSessions()
        case .retry: retry(arguments.value("section"), on: settings)
        }
    }

    private func retry(_ part: Part?, on settings: SettingsModel) {
        switch part {
        case .user: settings.user.retry()
        case .sessions: settings.sessions.retry()
        case nil: break
        }
    }
}
