import BackplaneFeatures
import CampusModels
import DashboardInterface
public import DashboardModels
public import Screens
public import WebHost

/// The dashboard in a browser.
public struct DashboardWebFace: WebFace {
    /// The events of the dashboard.
    public enum Event: String, CaseIterable {
        /// Takes the field `course`.
        case open
        case showOlder = "show-older"
        case resend
        /// Takes the field `change`.
        case retryChange = "retry-change"
        /// Takes the field `change`.
        case edit
        /// Takes the field `change`.
        case discard
        case refresh
        case logOut = "log-out"
        /// Takes the field `section`.
        case retry
    }

    struct UserModel: Sendable {
        let name: String
        let isRefreshing: Bool
        let isRefreshed: Bool
    }

    struct CourseModel: Sendable {
        let id: String
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
        let canBeSentAgain: Bool
    }

    struct TilesModel: Sendable {
        let tiles: [Tile]
    }

    struct OnTheWayModel: Sendable {
        let lead: String
        /// The time of the oldest change, as a text that names its time zone.
        let since: String
        /// The same time, in a form that the script reads.
        let iso: String
        let request: String?
    }

    struct UnsentModel: Sendable {
        let problem: String?
        let changes: [UnsentChangeModel]
    }

    struct UnsentChangeModel: Sendable {
        let id: String
        let text: String
        let kind: String
        let reason: String
        let canBeRetried: Bool
        let canBeEdited: Bool
    }

    /// The templates of the sections.
    public let templates = [
        "dashboard/user": WebTemplate(PackageResources.user_mustache),
        "dashboard/week": WebTemplate(PackageResources.week_mustache),
        "dashboard/courses": WebTemplate(PackageResources.courses_mustache),
        "dashboard/messages": WebTemplate(PackageResources.messages_mustache),
        "dashboard/on-the-way": WebTemplate(PackageResources.on_the_way_mustache),
        "dashboard/unsent": WebTemplate(PackageResources.unsent_mustache),
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
            Section(id: "user", template: "dashboard/user", loader: dashboard.user) { user in
                UserModel(name: user.name, isRefreshing: dashboard.isRefreshing, isRefreshed: dashboard.isRefreshed)
            },
            Section(id: "week", template: "dashboard/week") { dashboard.week },
            Section(id: "courses", template: "dashboard/courses", loader: dashboard.courses) { courses in
                courses.map { CourseModel(id: $0.id.rawValue, title: $0.title, summary: $0.summary) }
            },
            Section(id: "messages", template: "dashboard/messages") { Self.messages(of: dashboard) },
            Section(id: "on-the-way", template: "dashboard/on-the-way") { Self.onTheWay(of: dashboard) },
            Section(id: "unsent", template: "dashboard/unsent") { Self.unsent(of: dashboard) },
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
        let progress = dashboard.progress(of: message)
        return MessageModel(
            recipients: message.recipients.names,
            text: message.text,
            status: progress.map { $0 == .unconfirmed ? "Not confirmed yet" : "Being sent" },
            canBeSentAgain: progress == .unconfirmed
        )
    }

    private static func onTheWay(of dashboard: DashboardModel) -> OnTheWayModel? {
        dashboard.onTheWay.map { changes in
            OnTheWayModel(
                lead: changes.lead,
                since: changes.oldest.text,
                iso: changes.oldest.description,
                request: changes.request
            )
        }
    }

    private static func unsent(of dashboard: DashboardModel) -> UnsentModel? {
        let problem = dashboard.decisionProblem
        let changes = dashboard.unsent.map { change in
            UnsentChangeModel(
                id: change.id.rawValue,
                text: change.text,
                kind: change.kind,
                reason: change.reason,
                canBeRetried: change.canBeRetried,
                canBeEdited: change.canBeEdited
            )
        }
        return changes.isEmpty && problem == nil ? nil : UnsentModel(problem: problem, changes: changes)
    }

    /// Performs the user's choice.
    public func handle(_ event: Event, _ form: EventFields, on dashboard: DashboardModel) {
        switch event {
        case .open: if let course = form.value("course", as: Course.ID.self) { dashboard.open(course) }
        case .showOlder: dashboard.showOlder()
        case .resend: dashboard.resend()
        case .retryChange: if let change: UnsentChange.ID = form.value("change") { dashboard.retry(change) }
        case .edit: if let change: UnsentChange.ID = form.value("change") { dashboard.edit(change) }
        case .discard: if let change: UnsentChange.ID = form.value("change") { dashboard.discard(change) }
        case .refresh: dashboard.refresh()
        case .logOut: dashboard.logOut()
        case .retry:
            if let part = form.value("section", as: DashboardModel.Part.self) { dashboard.retry(part) }
        }
    }
}
