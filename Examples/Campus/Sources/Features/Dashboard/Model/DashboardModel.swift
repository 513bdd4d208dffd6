public import BackplaneFeatures
public import CampusModels
public import DashboardInterface
public import Observation
public import Screens

/// The board of the dashboard.
public protocol DashboardDelegate: AnyObject {
    /// Opens a course.
    func open(_ course: Course.ID)
    /// Opens the composer.
    func compose()
    /// Reloads everything.
    func refresh()
    /// Logs the user out.
    func logOut()
}

/// The dashboard, with the user and the week, the courses, the messages, and the tiles of other
/// features.
@Observable
public final class DashboardModel: Screen {
    /// The progress of a message that the server has not confirmed yet.
    public enum SendProgress: Hashable, Sendable {
        /// The message is being sent, or it waits for an earlier one.
        case underWay
        /// The message was sent and its outcome is unknown, so it can be sent again.
        case unconfirmed
    }

    /// A message that failed to send.
    public struct UnsentMessage: Identifiable, Sendable {
        /// The ID that the message had while it was sent.
        public let id: Message.ID
        /// The contents of the message.
        public let draft: Draft
        /// The reason why the message was not sent, if it is known.
        public let error: (any Error)?
    }

    /// The start page.
    public let path = "/"
    /// The loader of the user.
    public let user: Loader<Sole, User>
    /// The loader of the user's courses.
    public let courses: Loader<Sole, [Course]>
    /// The loader of the messages, the newest first; it includes messages that are being sent.
    public let messages: Loader<Sole, [Message]>
    /// The counts of the week; `nil` until the board has them.
    public private(set) var week: Dashboard.Week?
    private var isLeaving = false
    @ObservationIgnored private weak var delegate: (any DashboardDelegate)?
    private let outbox: (any DashboardOutbox)?
    private let findTiles: () -> [Tile]

    /// Creates a dashboard that has not loaded anything yet.
    ///
    /// - Parameters:
    ///   - loading: loads the contents.
    ///   - outbox: the messages that are not sent yet; `nil` if the app has no outbox.
    ///   - delegate: the board, which is not kept alive.
    ///   - tiles: returns the tiles of other features.
    public init(
        loading: DashboardLoading,
        outbox: (any DashboardOutbox)?,
        delegate: any DashboardDelegate,
        tiles: @escaping () -> [Tile]
    ) {
        self.outbox = outbox
        self.delegate = delegate
        findTiles = tiles
        user = Loader(loading.user)
        courses = Loader(loading.courses)
        messages = Loader(store: outbox?.messages) { _ in try await loading.messages() }
    }

    // MARK: State

    /// Whether a part is loading, a message is being sent, or the user is logging out.
    public var isBusy: Bool {
        isLeaving || LoaderGroup(user, courses, messages).anyLoading
            || messages.pending.contains { $0.status == .sending }
    }

    /// The tiles of other features, in the order they are shown.
    public var tiles: [Tile] { findTiles() }

    /// The messages that failed to send.
    public var unsent: [UnsentMessage] {
        messages.pending.compactMap { mutation -> UnsentMessage? in
            guard mutation.status == .failed, let label = mutation.label else { return nil }
            let id = Message.ID(rawValue: label)
            return outbox?.draft(id).map { UnsentMessage(id: id, draft: $0, error: mutation.error) }
        }
    }

    /// Returns the progress of a message; `nil` after the server has confirmed it.
    public func progress(of message: Message) -> SendProgress? {
        let mutation = messages.pending.first { $0.label == message.id.rawValue && $0.status != .failed }
        guard let mutation else { return nil }
        return mutation.status == .unconfirmed ? .unconfirmed : .underWay
    }

    // MARK: Actions of the user

    /// Opens a course.
    public func open(_ course: Course.ID) {
        delegate?.open(course)
    }

    /// Opens the composer.
    public func compose() {
        delegate?.compose()
    }

    /// Sends the unconfirmed messages again at once.
    public func resend() {
        messages.retryPending()
    }

    /// Opens a message that failed to send in the composer.
    public func edit(_ message: Message.ID) {
        outbox?.edit(message)
        delegate?.compose()
    }

    /// Discards a message that failed to send.
    public func discard(_ message: Message.ID) {
        outbox?.discard(message)
    }

    /// Reloads everything, also the counts of the week.
    public func refresh() {
        delegate?.refresh()
    }

    /// Logs the user out; the dashboard stays busy until it is closed.
    public func logOut() {
        isLeaving = true
        delegate?.logOut()
    }

    // MARK: Calls of the board

    /// Loads everything except the counts of the week, on the window's actor.
    public func load(on owner: any Actor) {
        user.load(.sole, on: owner)
        courses.load(.sole, on: owner)
        messages.load(.sole, on: owner)
    }

    /// Reloads everything except the counts of the week.
    public func reload() {
        user.reload()
        courses.reload()
        messages.reload()
    }

    /// Shows the counts of the week.
    public func show(_ week: Dashboard.Week) {
        self.week = week
    }
}
