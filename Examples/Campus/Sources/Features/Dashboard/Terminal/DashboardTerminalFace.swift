import BackplaneFeatures
import CampusModels
import DashboardInterface
public import DashboardModels
public import Screens
public import TerminalHost

/// The dashboard in a terminal.
public struct DashboardTerminalFace: TerminalFace {
    /// The commands of the dashboard.
    public enum Command: String, CaseIterable {
        /// Takes the argument `course`.
        case open
        case compose
        case resend
        /// Takes the argument `message`.
        case edit
        /// Takes the argument `message`.
        case discard
        case refresh
        case logOut = "log-out"
        /// Takes the argument `section`.
        case retry
    }

    /// The sections that can be loaded again.
    private enum Part: String {
        case user
        case courses
        case messages
    }

    /// Creates the face.
    public init() {}

    /// The title of the dashboard.
    public func title(of dashboard: DashboardModel) -> String { "Dashboard" }

    /// The user, the week, the courses, the messages, the unsent messages, and the tiles.
    public func sections(of dashboard: DashboardModel) -> [TextSection] {
        [
            TextSection("user", dashboard.user) { [$0.name] },
            TextSection("week", week(of: dashboard)),
            TextSection("courses", dashboard.courses) { courses in
                TextSection.list(courses) { row([$0.id.rawValue, $0.title, $0.summary]) }
            },
            TextSection("messages", dashboard.messages) { messages in
                TextSection.list(messages) { row(of: $0, on: dashboard) }
            },
            TextSection("unsent", unsent(of: dashboard)),
            TextSection("tiles", tiles(of: dashboard)),
        ]
    }

    private func week(of dashboard: DashboardModel) -> [String] {
        guard let week = dashboard.week else { return [] }
        return ["appointments: \(week.appointments)", "open todos: \(week.openTodos)"]
    }

    private func row(of message: Message, on dashboard: DashboardModel) -> String {
        let contents = [names(of: message.recipients), message.text]
        return switch dashboard.progress(of: message) {
        case .underWay: row(contents + ["Being sent"])
        case .unconfirmed: row(contents + ["Not confirmed yet", "can be sent again"])
        case nil: row(contents)
        }
    }

    private func unsent(of dashboard: DashboardModel) -> [String] {
        let messages = dashboard.unsent
        guard !messages.isEmpty else { return [] }
        let rows = TextSection.list(messages) { message in
            let error = message.error.flatMap { DisplayError(explaining: $0) }
            let (draft, reason) = (message.draft, error?.message ?? "The message was not sent.")
            return row([message.id.rawValue, names(of: draft.recipients), draft.text, reason])
        }
        return ["messages:"] + rows.map { "  \($0)" }
    }

    private func tiles(of dashboard: DashboardModel) -> [String] {
        let tiles = dashboard.tiles
        guard !tiles.isEmpty else { return ["tiles: none"] }
        return ["tiles:"] + TextSection.list(tiles) { row([$0.title, $0.path, $0.text]) }.map { "  \($0)" }
    }

    private func row(_ values: [String]) -> String {
        values.filter { !$0.isEmpty }.joined(separator: " · ")
    }

    private func names(of contacts: [Contact]) -> String {
        contacts.map(\.name).joined(separator: ", ")
    }

    /// Performs the user's command.
    public func handle(_ command: Command, _ arguments: EventFields, on dashboard: DashboardModel) {
        switch command {
        case .open: if let course = arguments.value("course", as: Course.ID.self) { dashboard.open(course) }
        case .compose: dashboard.compose()
        case .resend: dashboard.resend()
        case .edit: if let message = arguments.value("message", as: Message.ID.self) { dashboard.edit(message) }
        case .discard: if let message = arguments.value("message", as: Message.ID.self) { dashboard.discard(message) }
        case .refresh: dashboard.refresh()
        case .logOut: dashboard.logOut()
        case .retry: retry(arguments.value("section"), on: dashboard)
        }
    }

    private func retry(_ part: Part?, on dashboard: DashboardModel) {
        switch part {
        case .user: dashboard.user.retry()
        case .courses: dashboard.courses.retry()
        case .messages: dashboard.messages.retry()
        case nil: break
        }
    }
}
