import BackplaneFeatures
import CampusModels
import DashboardInterface
import Observation
import Screens

/// The board of the dashboard's screen.
protocol DashboardDelegate: AnyObject {
    /// Opens a course.
    func open(_ course: Course.ID)
    /// Opens the composer.
    func compose()
    /// Reloads everything.
    func refresh()
    /// Logs the user out.
    func logOut()
}

/// A screen with the user's name and week, the courses, the messages, and the tiles of other
/// features.
@Observable
final class DashboardScreen: Screen, DashboardControllable {
    struct CourseModel: Sendable {
        let id: String
        let title: String
        let summary: String
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

    struct UnsentModel: Sendable {
        let messages: [UnsentMessageModel]
    }

    struct UnsentMessageModel: Sendable {
        let id: String
        let recipients: String
        let text: String
        let reason: String
    }

    let title = "Dashboard"
    let path = "/"
    private var isLeaving = false
    private var week: Dashboard.Week?
    @ObservationIgnored weak var delegate: (any DashboardDelegate)?
    private let user: Loader<Sole, User>
    private let courses: Loader<Sole, [Course]>
    private let messages: Loader<Sole, [Message]>
    private let outbox: (any DashboardOutbox)?
    private let findTiles: () -> [Tile]

    /// Creates a dashboard.
    ///
    /// - Parameters:
    ///   - loading: loads the contents.
    ///   - outbox: the messages that are not sent yet; `nil` if the app has no outbox.
    ///   - tiles: returns the tiles of other features.
    init(loading: DashboardLoading, outbox: (any DashboardOutbox)?, tiles: @escaping () -> [Tile]) {
        self.outbox = outbox
        findTiles = tiles
        user = Loader(loading.user)
        courses = Loader(loading.courses)
        messages = Loader(store: outbox?.messages) { _ in try await loading.messages() }
    }

    var sections: [Section] {
        [
            Section(id: "user", template: "dashboard/user", loader: user) { $0.name },
            Section(id: "week", template: "dashboard/week") { self.week },
            Section(id: "courses", template: "dashboard/courses", loader: courses) { courses in
                courses.map { CourseModel(id: $0.id.rawValue, title: $0.title, summary: $0.summary) }
            },
            Section(id: "messages", template: "dashboard/messages", loader: messages) { $0.map(self.model) },
            Section(id: "unsent", template: "dashboard/unsent") { self.unsent },
            Section(id: "tiles", template: "dashboard/tiles") { TilesModel(tiles: self.findTiles()) },
        ]
    }

    private func model(of message: Message) -> MessageModel {
        let mutation = messages.pending.first { $0.label == message.id.rawValue && $0.status != .failed }
        let isUnknown = mutation?.status == .unconfirmed
        return MessageModel(
            recipients: names(of: message.recipients),
            text: message.text,
            status: mutation.map { _ in isUnknown ? "Not confirmed yet" : "Being sent" },
            canBeSentAgain: isUnknown
        )
    }

    private var unsent: UnsentModel? {
        let unsent = messages.pending.compactMap { mutation -> UnsentMessageModel? in
            guard mutation.status == .failed, let id = mutation.label,
                let draft = outbox?.draft(Message.ID(rawValue: id))
            else { return nil }
            return UnsentMessageModel(
                id: id,
                recipients: names(of: draft.recipients),
                text: draft.text,
                reason: mutation.error.flatMap(DisplayError.init(explaining:))?.message ?? "The message was not sent."
            )
        }
        return unsent.isEmpty ? nil : UnsentModel(messages: unsent)
    }

    private func names(of contacts: [Contact]) -> String {
        contacts.map(\.name).joined(separator: ", ")
    }

    var isBusy: Bool {
        isLeaving || LoaderGroup(user, courses, messages).anyLoading
            || messages.pending.contains { $0.status == .sending }
    }

    func load(on owner: any Actor) {
        user.load(.sole, on: owner)
        courses.load(.sole, on: owner)
        messages.load(.sole, on: owner)
    }

    func reload() {
        user.reload()
        courses.reload()
        messages.reload()
    }

    func show(_ week: Dashboard.Week) {
        self.week = week
    }

    func handle(_ event: ScreenEvent) {
        switch event.name {
        case "open": if let id = event["course"] { delegate?.open(Course.ID(rawValue: id)) }
        case "compose": delegate?.compose()
        case "resend": messages.retryPending()
        case "edit": if let id = event["message"] { edit(Message.ID(rawValue: id)) }
        case "discard": if let id = event["message"] { outbox?.discard(Message.ID(rawValue: id)) }
        case "refresh": delegate?.refresh()
        case "log-out":
            isLeaving = true
            delegate?.logOut()
        case "retry": retry(event["section"])
        default: break
        }
    }

    private func edit(_ message: Message.ID) {
        outbox?.edit(message)
        delegate?.compose()
    }

    private func retry(_ section: String?) {
        switch section {
        case "user": user.retry()
        case "courses": courses.retry()
        case "messages": messages.retry()
        default: break
        }
    }
}
