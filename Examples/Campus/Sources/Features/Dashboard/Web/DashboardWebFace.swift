import BackplaneFeatures
import CampusModels
import CourseInterface
import DashboardInterface
public import DashboardModels
import Screens
public import WebHost

/// The dashboard in a browser.
public struct DashboardWebFace: WebFace {
    struct UserModel: Sendable {
        let name: LoadModel<String>
        let isRefreshing: Bool
        let isRefreshed: Bool
    }

    struct WeekModel: Sendable {
        let appointments: Int
        let openTodos: Int
        let isFree: Bool
    }

    struct CourseModel: Sendable {
        let id: String
        let path: String
        let title: String
        let summary: String
    }

    struct MessagesModel: Sendable {
        let list: LoadModel<[MessageModel]>
        /// The sentence in place of an empty list.
        let noMessages: String?
        /// The messages that are older than the list; `nil` if there are none.
        let older: OlderModel?
    }

    struct OlderModel: Sendable {
        /// The ID of the section, which the retry button sends along.
        let section = "messages"
        let isLoading: Bool
        let problem: String?
    }

    struct MessageModel: Sendable {
        let recipients: String
        let text: String
        /// The progress of sending; `nil` after the server has confirmed the message.
        let status: String?
    }

    struct TilesModel: Sendable {
        let tiles: [Tile]
    }

    struct ChangesModel: Sendable {
        let problem: String?
        let changes: [PendingChangeModel]
        let more: String?
    }

    struct PendingChangeModel: Sendable {
        let id: String
        let text: String
        let kind: String
        let since: Moment
        let sentence: String
        let next: Moment?
        let needsDecision: Bool
        let canTryNow: Bool
        let canBeEdited: Bool
        let canBeSentAgain: Bool
        let canBeDiscarded: Bool
    }

    /// The templates of the sections.
    public let templates = [
        "dashboard/user": WebTemplate(PackageResources.user_mustache),
        "dashboard/week": WebTemplate(PackageResources.week_mustache),
        "dashboard/courses": WebTemplate(PackageResources.courses_mustache),
        "dashboard/messages": WebTemplate(PackageResources.messages_mustache),
        "dashboard/changes": WebTemplate(PackageResources.changes_mustache),
        "dashboard/tiles": WebTemplate(PackageResources.tiles_mustache),
    ]

    /// Creates the face.
    public init() {}

    /// The title of the dashboard.
    public func title(of dashboard: DashboardModel) -> String { "Dashboard" }

    /// The user, the week, the courses, the messages, the changes that the server does not have,
    /// and the tiles.
    public func sections(of dashboard: DashboardModel) -> [Section] {
        [
            Section(id: "user", template: "dashboard/user") {
                UserModel(
                    name: LoadModel(section: "user", state: dashboard.user.state) { $0.name },
                    isRefreshing: dashboard.isRefreshing,
                    isRefreshed: dashboard.isRefreshed
                )
            },
            Section(id: "week", template: "dashboard/week") {
                LoadModel(section: "week", state: dashboard.week) { week in
                    WeekModel(
                        appointments: week.appointments,
                        openTodos: week.openTodos,
                        isFree: dashboard.isWeekFree
                    )
                }
            },
            Section(id: "courses", template: "dashboard/courses", loader: dashboard.courses) { courses in
                courses.map { course in
                    CourseModel(
                        id: course.id.rawValue,
                        path: CoursePage.path(of: course.id),
                        title: course.title,
                        summary: course.summary
                    )
                }
            },
            Section(id: "messages", template: "dashboard/messages") { Self.messages(of: dashboard) },
            Section(id: "changes", template: "dashboard/changes") { Self.changes(of: dashboard) },
            Section(id: "tiles", template: "dashboard/tiles") { TilesModel(tiles: dashboard.tiles) },
        ]
    }

    private static func messages(of dashboard: DashboardModel) -> MessagesModel {
        let list = LoadModel(section: "messages", state: dashboard.shownMessages) { messages in
            messages.map { model(of: $0, on: dashboard) }
        }
        return MessagesModel(list: list, noMessages: dashboard.noMessages, older: dashboard.older.map { model(of: $0) })
    }

    private static func model(of older: DashboardModel.OlderMessages) -> OlderModel {
        switch older {
        case .available: OlderModel(isLoading: false, problem: nil)
        case .loading: OlderModel(isLoading: true, problem: nil)
        case .failed(let reason): OlderModel(isLoading: false, problem: reason)
        }
    }

    private static func model(of message: Message, on dashboard: DashboardModel) -> MessageModel {
        MessageModel(
            recipients: message.recipients.names,
            text: message.text,
            status: dashboard.progress(of: message)?.sentence
        )
    }

    private static func changes(of dashboard: DashboardModel) -> ChangesModel? {
        let problem = dashboard.decisionProblem
        let changes = dashboard.changes.map { change in
            PendingChangeModel(
                id: change.id.rawValue,
                text: change.text,
                kind: change.kind,
                since: Moment(change.since.date),
                sentence: change.state.sentence,
                next: change.state.nextAttempt.map(Moment.init),
                needsDecision: change.state.needsDecision,
                canTryNow: change.actions.contains(.tryNow),
                canBeEdited: change.actions.contains(.edit),
                canBeSentAgain: change.actions.contains(.sendAgain),
                canBeDiscarded: change.actions.contains(.discard)
            )
        }
        guard !changes.isEmpty || problem != nil else { return nil }
        return ChangesModel(problem: problem, changes: changes, more: dashboard.moreChanges)
    }
}
