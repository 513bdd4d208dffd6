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
    /// Counts the appointments and to-dos of the week again.
    func countWeek()
    /// Signs the user out.
    func signOut()
}

/// The dashboard, with the user and the week, the courses, the messages, and the tiles of other
/// features.
@Observable
public final class DashboardModel: EventScreen {
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
        case user, week, courses, messages
    }

    /// The start page.
    public let path = Dashboard.path
    /// The loader of the user.
    public let user: Loader<NoID, User>
    /// The loader of the user's courses.
    public let courses: Loader<NoID, [Course]>
    /// The messages, the newest first; it includes messages that are being sent.
    public let messages: PagedLoader<Message.ID, Message>
    /// The counts of the week, which come from the board.
    public private(set) var week = LoadState<Dashboard.Week>.idle
    private var isLeaving = false
    /// Whether the user has asked for the counts of the week that are on their way.
    private var wantsWeek = false
    /// Whether the user has asked to reload everything.
    private var hasRefreshed = false
    @ObservationIgnored private weak var delegate: (any DashboardDelegate)?
    private let outbox: (any DashboardOutbox)?
    /// The performer of the user's decisions about changes.
    private let performer: ActionPerformer
    /// Runs while everything loads again because the user has asked for it.
    private let refreshing: ActionPerformer
    private let findTiles: () -> [Tile]

    /// Creates a dashboard that has not loaded anything yet.
    ///
    /// - Parameters:
    ///   - loading: loads the contents.
    ///   - users: the store of the user; `nil` if no other screen shares it.
    ///   - messages: the messages, with those that the outbox is sending.
    ///   - outbox: the changes that the server may not have; `nil` if the app has no outbox.
    ///   - startTask: starts the tasks of the user's actions, which end with the board.
    ///   - delegate: the board, which is not kept alive.
    ///   - tiles: returns the tiles of other features.
    public init(
        loading: DashboardLoading,
        users: RecordStore<NoID, User>? = nil,
        messages: PagedLoader<Message.ID, Message>,
        outbox: (any DashboardOutbox)?,
        startTask: @escaping ActionPerformer.TaskStart,
        delegate: any DashboardDelegate,
        tiles: @escaping () -> [Tile]
    ) {
        self.messages = messages
        self.outbox = outbox
        performer = ActionPerformer(startTask: startTask)
        refreshing = ActionPerformer(startTask: startTask)
        self.delegate = delegate
        findTiles = tiles
        user = Loader(store: users, loading.user)
        courses = Loader(loading.courses)
    }

    // MARK: State

    /// Whether a part is loading, a message is being sent, a decision is performed, or the user is
    /// signing out.
    public var isBusy: Bool {
        isLeaving || performer.isPerforming || parts.anyLoading || week.isLoading || isSending
    }

    private var parts: LoaderGroup { LoaderGroup(user, courses, lists: messages) }

    private var isSending: Bool {
        let sent = messages.ids.flatMap { messages.pending(of: $0) }
        // A message that was not sent keeps the messages behind it waiting.
        return changes.contains(where: \.state.needsDecision) ? sent.contains { $0.status == .sending } : sent.isBusy
    }

    /// Whether everything is loading again because the user has asked for it.
    public var isRefreshing: Bool { refreshing.isPerforming || wantsWeek }

    /// Whether everything has loaded after the user has asked for it.
    public var isRefreshed: Bool {
        guard hasRefreshed, !isRefreshing, case .loaded = week else { return false }
        return parts.allLoaded
    }

    /// Whether the user has no appointments and no open to-dos this week.
    public var isWeekFree: Bool { week.value.map { $0.appointments == 0 && $0.openTodos == 0 } ?? false }

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

    /// The user's changes that the server has not confirmed, oldest first.
    public var changes: [PendingChange] { outbox?.changes ?? [] }

    /// The sentence about the changes that ``changes`` leaves out; `nil` if there are none.
    public var moreChanges: String? {
        guard let count = outbox?.moreChanges, count > 0 else { return nil }
        return "\(count) more \(count == 1 ? "change waits" : "changes wait") behind these."
    }

    /// The reason why the last decision about a change had no effect, as a text for the user; `nil`
    /// if it had one.
    public var decisionProblem: String? {
        performer.error.map { DisplayError.message(of: $0, else: "This did not work. Try again.") }
    }

    /// Returns the state of a message that is being sent; `nil` after the server has confirmed it.
    public func progress(of message: Message) -> ChangeState? {
        messages.pending(of: message.id).first { $0.status != .failed }.map { ChangeState($0) }
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
        case .week: if week.error != nil { delegate?.countWeek() }
        case .courses: courses.retry()
        case .messages: messages.retry()
        }
    }

    /// Sends the changes now that wait for their next attempt.
    public func tryNow() {
        outbox?.tryNow()
    }

    /// Sends a change again that needs a decision.
    public func sendAgain(_ change: PendingChange.ID) {
        decide { try await $0.sendAgain(change) }
    }

    /// Opens a message that was not sent in the composer.
    public func edit(_ change: PendingChange.ID) {
        outbox?.edit(change)
        delegate?.compose()
    }

    /// Discards a change.
    public func discard(_ change: PendingChange.ID) {
        decide { try await $0.discard(change) }
    }

    private func decide(_ decision: @escaping (any DashboardOutbox) async throws -> Void) {
        guard let outbox else { return }
        performer.perform { try await decision(outbox) }
    }

    /// Reloads everything, also the counts of the week.
    public func refresh() {
        (hasRefreshed, wantsWeek) = (true, true)
        delegate?.refresh()
        refreshing.perform { await self.parts.settled() }
    }

    /// Signs the user out; the dashboard is busy until it is closed, or the user stays.
    public func signOut() {
        guard !isLeaving else { return }
        isLeaving = true
        delegate?.signOut()
    }

    // MARK: Commands of the board

    /// Obeys a command; the board loads the counts of the week.
    public func obey(_ command: Dashboard.Command) {
        switch command {
        case .refresh:
            awaitWeek()
            user.reload()
            courses.reload()
            messages.reload()
        case .weekChanged: awaitWeek()
        case .show(let week): (self.week, wantsWeek) = (.loaded(week), false)
        case .failWeek(let reason):
            (week, wantsWeek) = (.failed(DisplayError(reason), previous: week.value), false)
        case .stay: isLeaving = false
        }
    }

    private func awaitWeek() {
        week = .loading(previous: week.value)
    }
}

extension DashboardModel {
    /// The actions of the user, by the names that forms and commands have.
    public enum Event: String, CaseIterable {
        /// Opens the course in the field `course`.
        case open
        /// Opens the composer.
        case compose
        /// Shows the next page of older messages.
        case showOlder = "show-older"
        /// Sends the changes now that wait for their next attempt.
        case resend
        /// Sends the change in the field `change` again.
        case sendAgain = "send-again"
        /// Opens the message in the field `change` in the composer.
        case edit
        /// Discards the change in the field `change`.
        case discard
        /// Reloads everything.
        case refresh
        /// Signs the user out.
        case signOut = "sign-out"
        /// Loads the part in the field `section` again after a failure.
        case retry
    }

    /// Performs an action of the user; fields that are missing or malformed change nothing.
    public func perform(_ event: Event, _ fields: EventFields) {
        switch event {
        case .open: if let course: Course.ID = fields.value("course") { open(course) }
        case .compose: compose()
        case .showOlder: showOlder()
        case .resend: tryNow()
        case .sendAgain: if let change: PendingChange.ID = fields.value("change") { sendAgain(change) }
        case .edit: if let change: PendingChange.ID = fields.value("change") { edit(change) }
        case .discard: if let change: PendingChange.ID = fields.value("change") { discard(change) }
        case .refresh: refresh()
        case .signOut: signOut()
        case .retry: if let part: Part = fields.value("section") { retry(part) }
        }
    }
}
