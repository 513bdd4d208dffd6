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
    /// The performer of the user's decisions about changes that were not sent.
    private let performer: ActionPerformer
    private let findTiles: () -> [Tile]

    /// Creates a dashboard that has not loaded anything yet.
    ///
    /// - Parameters:
    ///   - loading: loads the contents.
    ///   - messages: the messages, with those that the outbox is sending.
    ///   - outbox: the changes that the server may not have; `nil` if the app has no outbox.
    ///   - performer: runs the user's decisions about changes that were not sent.
    ///   - delegate: the board, which is not kept alive.
    ///   - tiles: returns the tiles of other features.
    public init(
        loading: DashboardLoading,
        messages: PagedLoader<Message.ID, Message>,
        outbox: (any DashboardOutbox)?,
        performer: ActionPerformer,
        delegate: any DashboardDelegate,
        tiles: @escaping () -> [Tile]
    ) {
        self.messages = messages
        self.outbox = outbox
        self.performer = performer
        self.delegate = delegate
        findTiles = tiles
        user = Loader(loading.user)
        courses = Loader(loading.courses)
    }

    // MARK: State

    /// Whether a part is loading, a message is being sent, a decision is performed, or the user is
    /// logging out.
    public var isBusy: Bool { isLeaving || performer.isPerforming || parts.anyLoading || isSending }

    private var parts: LoaderGroup { LoaderGroup(user, courses, lists: messages) }

    private var isSending: Bool {
        let changes = messages.ids.flatMap { messages.pending(of: $0) }
        // A message that was not sent keeps the messages behind it waiting.
        return unsent.isEmpty ? changes.isBusy : changes.contains { $0.status == .sending }
    }

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

    /// The changes that are on their way to the server; `nil` if there are none.
    public var onTheWay: ChangesOnTheWay? { outbox?.onTheWay }

    /// The changes that are not sent without the user's decision, oldest first.
    public var unsent: [UnsentChange] { outbox?.unsent ?? [] }

    /// The reason why the last decision about an unsent change had no effect, as a text for the
    /// user; `nil` if it had one.
    public var decisionProblem: String? {
        performer.error.map { DisplayError.message(of: $0, else: "This did not work. Try again.") }
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

    /// Sends an unsent change again.
    public func retry(_ change: UnsentChange.ID) {
        decide { try await $0.retry(change) }
    }

    /// Opens an unsent message in the composer.
    public func edit(_ change: UnsentChange.ID) {
        outbox?.edit(change)
        delegate?.compose()
    }

    /// Discards an unsent change.
    public func discard(_ change: UnsentChange.ID) {
        decide { try await $0.discard(change) }
    }

    private func decide(_ decision: @escaping (any DashboardOutbox) async throws -> Void) {
        guard let outbox else { return }
        performer.perform { try await decision(outbox) }
    }

    /// Reloads everything, also the counts of the week.
    public func refresh() {
        wantsRefresh = true
        delegate?.refresh()
    }

    /// Logs the user out; the dashboard is busy until it is closed, or the user stays.
    public func logOut() {
        guard !isLeaving else { return }
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
    /// Continues, because the user does not log out.
    public func stay() {
        isLeaving = false
    }
}
