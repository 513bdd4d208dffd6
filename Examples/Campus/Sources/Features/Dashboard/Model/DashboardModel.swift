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
        /// The reason why the message was not sent, as a text for the user.
        public let reason: String
    }

    /// The messages that are older than the shown ones.
    public enum OlderMessages: Hashable, Sendable {
        /// They can be shown.
        case available
        /// The next page of them is loading.
        case loading
        /// The next page of them could not be loaded; the reason is a text for the user.
        case failed(String)
    }

    /// A part of the dashboard that is loaded on its own; the raw value is the ID of its section.
    public enum Part: String, Sendable {
        case user, courses, messages
    }

    /// The start page.
    public let path = "/"
    /// The loader of the user.
    public let user: Loader<NoID, User>
    /// The loader of the user's courses.
    public let courses: Loader<NoID, [Course]>
    /// The messages, the newest first; it includes messages that are being sent.
    public let messages: PagedLoader<Message.ID, Message>
    /// The counts of the week; `nil` until the board has them.
    public private(set) var week: Dashboard.Week?
    private var isLeaving = false
    /// Whether the user has asked to reload everything.
    private var wantsRefresh = false
    @ObservationIgnored private weak var delegate: (any DashboardDelegate)?
    private let outbox: (any DashboardOutbox)?
    private let findTiles: () -> [Tile]

    /// Creates a dashboard that has not loaded anything yet.
    ///
    /// - Parameters:
    ///   - loading: loads the contents.
    ///   - messages: the messages, with those that the outbox is sending.
    ///   - outbox: the messages that the server may not have; `nil` if the app has no outbox.
    ///   - delegate: the board, which is not kept alive.
    ///   - tiles: returns the tiles of other features.
    public init(
        loading: DashboardLoading,
        messages: PagedLoader<Message.ID, Message>,
        outbox: (any DashboardOutbox)?,
        delegate: any DashboardDelegate,
        tiles: @escaping () -> [Tile]
    ) {
        self.messages = messages
        self.outbox = outbox
        self.delegate = delegate
        findTiles = tiles
        user = Loader(loading.user)
        courses = Loader(loading.courses)
    }

    // MARK: State

    /// Whether a part is loading, a message is being sent, or the user is logging out.
    public var isBusy: Bool {
        isLeaving || parts.anyLoading
            || outgoing.contains { messages.pending(of: $0.id).contains { $0.status == .sending } }
    }

    private var parts: LoaderGroup { LoaderGroup(user, courses, lists: messages) }

    private var outgoing: [OutgoingMessage] { outbox?.outgoing ?? [] }

    /// Whether the parts are loading again because the user has asked for it.
    public var isRefreshing: Bool {
        wantsRefresh && parts.anyLoading
    }

    /// Whether all parts have loaded again after the user has asked for it.
    public var isRefreshed: Bool { wantsRefresh && parts.allLoaded }

    /// The tiles of other features, in the order they are shown.
    public var tiles: [Tile] { findTiles() }

    /// The state of the shown messages; the progress and the errors of older ones are in ``older``.
    public var shownMessages: LoadState<[Message]> {
        messages.isPaging ? .loaded(messages.items) : messages.state
    }

    /// The messages that are older than the shown ones; `nil` if there are none.
    public var older: OlderMessages? {
        guard messages.hasMore else { return nil }
        guard messages.isPaging else { return .available }
        guard let error = messages.state.error else { return .loading }
        return .failed(DisplayError.message(of: error, else: "Older messages could not be loaded."))
    }

    /// The sentence in place of the messages; `nil` if there are messages, or none are loaded yet.
    public var noMessages: String? {
        guard messages.state.value?.isEmpty == true, !messages.hasMore else { return nil }
        return "You have not sent any messages yet."
    }

    /// The messages that failed to send.
    public var unsent: [UnsentMessage] {
        outgoing.compactMap { message -> UnsentMessage? in
            guard let failure = messages.pending(of: message.id).first(where: { $0.status == .failed }) else {
                return nil
            }
            let reason = DisplayError.message(of: failure.error, else: "The message was not sent.")
            return UnsentMessage(id: message.id, draft: message.draft, reason: reason)
        }
    }

    /// Returns the progress of a message; `nil` after the server has confirmed it.
    public func progress(of message: Message) -> SendProgress? {
        guard let mutation = messages.pending(of: message.id).first(where: { $0.status != .failed }) else { return nil }
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

    /// Shows the next page of older messages.
    public func showOlder() {
        messages.loadMore()
    }

    /// Loads a part again whose last load failed; of the messages, this may be the next page.
    public func retry(_ part: Part) {
        switch part {
        case .user: user.retry()
        case .courses: courses.retry()
        case .messages: messages.retry()
        }
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
        wantsRefresh = true
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
        user.load(on: owner)
        courses.load(on: owner)
        messages.load(on: owner)
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
