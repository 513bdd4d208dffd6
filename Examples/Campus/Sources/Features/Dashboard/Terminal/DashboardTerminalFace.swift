import BackplaneFeatures
import CampusModels
import DashboardInterface
public import DashboardModels
import Screens
public import TerminalHost

/// The dashboard in a terminal.
public struct DashboardTerminalFace: TerminalFace {
    /// Creates the face.
    public init() {}

    /// The title of the dashboard.
    public func title(of dashboard: DashboardModel) -> String { "Dashboard" }

    /// The user, the week, the courses, the messages, the changes that the server does not have,
    /// and the tiles.
    public func sections(of dashboard: DashboardModel) -> [TextSection] {
        [
            TextSection("user", dashboard.user) { [$0.name] },
            TextSection("week", dashboard.week) { week in
                ["appointments: \(week.appointments)", "open todos: \(week.openTodos)"]
            },
            TextSection("courses", dashboard.courses) { courses in
                TextSection.list(courses) { TextSection.row([$0.id.rawValue, $0.title, $0.summary]) }
            },
            messages(of: dashboard),
            TextSection("changes", changes(of: dashboard)),
            TextSection("tiles", tiles(of: dashboard)),
        ]
    }

    private func messages(of dashboard: DashboardModel) -> TextSection {
        let shown = TextSection("messages", dashboard.shownMessages) { messages in
            dashboard.noMessages.map { [$0] } ?? TextSection.list(messages) { row(of: $0, on: dashboard) }
        }
        return TextSection(shown.id, shown.lines + older(of: dashboard))
    }

    private func older(of dashboard: DashboardModel) -> [String] {
        switch dashboard.older {
        case .available: ["There are older messages."]
        case .loading: ["Loading older messages"]
        case .failed(let reason): ["Problem: \(reason)"]
        case nil: []
        }
    }

    private func row(of message: Message, on dashboard: DashboardModel) -> String {
        TextSection.row([message.recipients.names, message.text, dashboard.progress(of: message)?.text ?? ""])
    }

    private func changes(of dashboard: DashboardModel) -> [String] {
        let problem = dashboard.decisionProblem.map { [TextSection.line("problem", $0)] } ?? []
        let rows = dashboard.changes.map { change in
            let since = "since \(Moment(change.since.date).text)"
            return "- " + TextSection.row([change.id.rawValue, change.kind, change.text, since, change.state.text])
        }
        return problem + rows + [dashboard.moreChanges].compactMap(\.self)
    }

    private func tiles(of dashboard: DashboardModel) -> [String] {
        let tiles = dashboard.tiles
        guard !tiles.isEmpty else { return ["tiles: none"] }
        return ["tiles:"] + TextSection.list(tiles) { TextSection.row([$0.title, $0.path, $0.text]) }.map { "  \($0)" }
    }
}
