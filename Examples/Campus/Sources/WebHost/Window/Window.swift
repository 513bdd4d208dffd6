import Backplane
import BackplaneNavigation
import Foundation
import Hashing
import Logging
import Observation
import Screens

/// One tab of a browser: the actor of its motherboard, its navigator and its screens.
///
/// The window redraws the sections that change, and wakes the connections that show them. Its
/// session decides how long it lives.
actor Window {
    /// The result of opening a link.
    enum Opening: Equatable {
        case shown
        case unknown
        case malformed
        case denied
    }

    /// The changes of the page since a version.
    struct Changes {
        let events: [ServerSentEvent]
        /// The version after the changes.
        let version: Int
    }

    nonisolated let id: WindowID
    nonisolated let csrf: Secret

    private let renderer: Renderer
    private let metrics: HostMetrics
    private let assemble: @Sendable (Motherboard, ScreenNavigator) -> Void
    private let prepareApp: (@Sendable (Motherboard) async -> Void)?
    private lazy var navigator = ScreenNavigator(owner: self, hasTransitions: false)
    private let lastLink = LastLink()
    private let history = WindowHistory()
    private var motherboard: Motherboard?
    private(set) var isEnded = false
    /// The path of the last redirect of a page without the script.
    private var resumedPath: String?
    /// Ends the wait for the app's preparation.
    private var preparing: AsyncStream<Never>.Continuation?
    private var connections = PageConnections()
    /// The IDs of the events that were handled last.
    private var handledEvents: [String]
    /// The IDs of the last events whose effects are stored.
    private var storedEvents: [String]

    private lazy var drawing = makeDrawing()

    /// The keeper that stores the window; `nil` if the window is not stored.
    private let keeper: WindowKeeper?
    /// Whether a page has shown the window; before, its link may still be refused.
    private var isShown: Bool
    private var isScripted: Bool
    private let restoration: WindowRestoration

    init(
        id: WindowID,
        renderer: Renderer,
        metrics: HostMetrics = .none,
        keeping: WindowKeeping?,
        record: WindowRecord?,
        prepare: (@Sendable (Motherboard) async -> Void)? = nil,
        assemble: @escaping @Sendable (Motherboard, ScreenNavigator) -> Void
    ) {
        self.id = id
        csrf = record?.csrf ?? .random()
        self.renderer = renderer
        self.metrics = metrics
        keeper = keeping.map { WindowKeeper($0, stored: record) }
        isShown = record != nil
        isScripted = keeping?.isScripted ?? false
        restoration = WindowRestoration(record)
        handledEvents = record?.handledEvents ?? []
        storedEvents = handledEvents
        self.assemble = assemble
        prepareApp = prepare
    }

    // MARK: Links and events

    /// Opens a link, which is a path with its query.
    func open(_ link: String) -> Opening {
        guard !isEnded else { return .unknown }
        lastLink.path = Address.removingWindow(from: Address.local(link)).link
        let opened = assembledMotherboard().open(link)
        history.note(opened)
        return switch opened.result {
        case .opened, .waiting: .shown
        case .denied, .cancelled: .denied
        case .noMatch, .notAllowed, .ownerGone: .unknown
        case .invalid: .malformed
        }
    }

    /// Shows the window as it is if the page was redirected here, and otherwise the requested
    /// screen.
    func resume(at path: String) -> Opening {
        path == resumedPath || path == navigator.mainScreen?.path ? .shown : navigate(to: path)
    }

    /// Goes back to the screen with this path, or opens the path as a link.
    func navigate(to path: String) -> Opening {
        restoration.discardStack()
        return navigator.back(to: path) ? .shown : open(path)
    }

    /// Passes an event to its screen; an event for a screen that is no longer on top is ignored.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - id: the ID of the event, if it has one. A page repeats an event without a response, so
    ///     an event with an ID that was handled before is ignored.
    ///   - identity: a text that is the same only in events that make the same change.
    ///   - number: the number of the screen that the event is for.
    ///   - page: the key of the page that sent the event.
    /// - Returns: the changes that the event makes in tasks; `nil` if the event is ignored.
    @discardableResult
    func handle(
        _ event: ScreenEvent,
        id: String?,
        identity: String? = nil,
        screen number: Int,
        from page: Secret? = nil
    ) -> EventEffects? {
        if let id {
            guard !handledEvents.contains(id) else { return nil }
            handledEvents = Self.adding(id, to: handledEvents)
        }
        guard let screen = drawing.screen(number), screen === navigator.top?.screen else { return nil }
        let effects = EventEffects()
        EventEffects.$current.withValue(effects) {
            ScreenEvent.$identity.withValue(identity.map(Self.identity)) {
                PageKey.$current.withValue(page) { metrics.turn { renderer.faces.handle(event, on: screen) } }
            }
        }
        return effects
    }

    /// Stores that an event was handled, after its effects are stored.
    ///
    /// After a crash in between, the page repeats the event.
    func store(event id: String?) async {
        if let id, handledEvents.contains(id), !storedEvents.contains(id) {
            storedEvents = Self.adding(id, to: storedEvents)
        }
        await save()
    }

    /// A page sends one event after the other, so only the last ones can come again.
    private static func adding(_ id: String, to events: [String]) -> [String] { events.suffix(15) + [id] }

    /// Returns the value of an identity, which is the same in each process.
    private static func identity(_ text: String) -> UUID {
        var bytes = Array(Hashing.sha256(Data(text.utf8)).prefix(16))
        // RFC 9562, 5.4: the form of a random UUID.
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Dismisses the sheet because the user closed it.
    ///
    /// - Parameter number: the number of the sheet's screen; another sheet stays.
    func dismissSheet(screen number: Int) {
        guard let screen = drawing.screen(number), screen === navigator.top?.screen else { return }
        navigator.topLayer.close()
    }

    /// Passes the user's answer to the open dialog; an answer to an earlier dialog is ignored.
    ///
    /// - Parameters:
    ///   - button: the ID of the chosen button; `nil` if the user hid the dialog.
    ///   - number: the number of the dialog that the answer is for.
    func answer(_ button: Int?, dialog number: Int) {
        guard let dialog = drawing.dialog(number), dialog === navigator.topLayer.dialog else { return }
        if let button { dialog.choose(button) } else { dialog.hide() }
    }

    /// Returns when the top screen has finished loading, or after `limit`.
    func settle(within limit: Duration, on clock: any Clock<Duration>) async {
        await wait(while: { $0.isBusy }, within: limit, on: clock)
    }

    /// Whether the window shows no screen yet, or its screen is still loading.
    ///
    /// A screen that waits for the answer to a dialog is not busy.
    private var isBusy: Bool {
        !isEnded && navigator.topLayer.dialog == nil && navigator.top?.screen.isBusy ?? true
    }

    /// Returns when an observed condition has ended, or after `limit`.
    private func wait(
        while isPending: @escaping @Sendable (isolated Window) -> Bool,
        within limit: Duration,
        on clock: any Clock<Duration>
    ) async {
        guard isPending(self) else { return }
        await withTaskGroup { group in
            group.addTask { await self.wait(while: isPending) }
            group.addTask { try? await clock.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    private func wait(while isPending: @Sendable (isolated Window) -> Bool) async {
        while !Task.isCancelled {
            let (changes, change) = AsyncStream<Void>.makeStream()
            let isPending = withObservationTracking {
                isPending(self)
            } onChange: {
                // This runs before the change, but the waiting code runs after the turn that makes
                // the change.
                change.finish()
            }
            guard isPending else { return }
            for await _ in changes {}
        }
    }

    private func assembledMotherboard() -> Motherboard {
        if let motherboard { return motherboard }
        let motherboard = Motherboard()
        self.motherboard = motherboard
        if let record = restoration.record { lastLink.path = record.path }
        navigator.showDenials(on: motherboard) { [lastLink] in lastLink.path }
        assemble(motherboard, navigator)
        if keeper != nil {
            motherboard.observe { [weak self] _ in self?.assumeIsolated { $0.noteChange() } }
        }
        return motherboard
    }

    /// Lets the app prepare the motherboard, and returns when the app has finished, or after
    /// `limit`.
    func prepare(within limit: Duration, on clock: any Clock<Duration>) async {
        guard let preparing = startPreparing() else { return }
        await withTaskGroup { group in
            group.addTask { for await _ in preparing {} }
            group.addTask { try? await clock.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Lets the app prepare the motherboard; the stream ends when it has finished, or the window
    /// has ended.
    private func startPreparing() -> AsyncStream<Never>? {
        guard let prepareApp else { return nil }
        let (stream, preparing) = AsyncStream<Never>.makeStream()
        self.preparing = preparing
        Task {
            await prepareApp(assembledMotherboard())
            preparing.finish()
        }
        return stream
    }

    // MARK: Storing

    /// The record that was stored last.
    var storedRecord: WindowRecord? { keeper?.stored }

    /// Stores the window after this turn, in which its record may have changed.
    ///
    /// A window that no page has shown yet is not stored; ``pageState()`` stores it.
    private func noteChange() {
        guard !isEnded, isShown, let keeper, keeper.noteChange() else { return }
        // A task for each change, and not one that lasts: a task keeps the memory of its deepest
        // call until it ends.
        Task {
            // After the drawing of the same change, so that one record contains both.
            await Task.yield()
            while keeper.takeChange() { await save() }
        }
    }

    /// Stores the window's current state, and returns when it is stored.
    ///
    /// This runs before a page receives a change.
    func save() async {
        // A window that is not restored yet keeps its old record.
        while !isEnded, restoration.record == nil, let keeper, await keeper.save(present(keeper.keeping)) {}
    }

    private func present(_ keeping: WindowKeeping) -> WindowRecord {
        let boards = assembledMotherboard().snapshot()
        return WindowRecord(
            session: keeping.session,
            csrf: csrf,
            isScripted: isScripted,
            screen: UInt32(clamping: drawing.page.main.number ?? 0),
            screenCount: UInt32(clamping: drawing.page.screenCount),
            path: drawing.page.main.heading.path,
            resumedPath: resumedPath,
            handledEvents: storedEvents,
            stack: restoration.places(of: navigator, isWaiting: boards.isWaiting),
            boards: boards
        )
    }

    /// Restores the window from its record, if it has one.
    ///
    /// Returns when the app has prepared the motherboard, however long that takes, because boards
    /// that come back before could be lost. Then it waits until a screen is shown, because boards
    /// may have to wait at a gate first. Concurrent callers share one restoration.
    ///
    /// - Parameters:
    ///   - limit: the longest time to wait for a screen.
    ///   - clock: the clock that measures the limit.
    /// - Returns: `false` if no board and no screen came back, or if the window has already ended.
    func restore(within limit: Duration, on clock: any Clock<Duration>) async -> Bool {
        // After the session has ended, restored boards would never end.
        guard !isEnded else { return false }
        let task = restoration.start { record in
            Task { await self.restore(record, within: limit, on: clock) }
        }
        return await task?.value ?? true
    }

    private func restore(_ record: WindowRecord, within limit: Duration, on clock: any Clock<Duration>) async -> Bool {
        resumedPath = record.resumedPath
        // A page from before the restart must not have a version that this window will have.
        let version = Int.random(in: 1..<1 << 48)
        drawing.restart(with: Page(version: version, screenCount: Int(record.screenCount), path: record.path))
        if let preparing = startPreparing() { for await _ in preparing {} }
        guard !isEnded else { return false }
        for missing in assembledMotherboard().restore(record.boards) {
            keeper?.keeping.logger.notice("Session \(record.session): a window was restored without '\(missing)'.")
        }
        restoration.finish()
        arrange()
        if hasBoards {
            await wait(while: { $0.isBlank }, within: limit, on: clock)
            arrange()
        }
        // If the page still shows this screen, its events must reach the screen, so the number is
        // kept.
        if let top = navigator.base.stack.places.last, top.screen.path == record.path {
            let (number, count) = (Int(record.screen), Int(record.screenCount))
            drawing.restart(with: Page(version: version, screenCount: count, returning: number, path: record.path))
        }
        drawing.draw()
        restoration.end()
        return isEnded || hasBoards || navigator.top != nil
    }

    private var isBlank: Bool { !isEnded && navigator.top == nil }

    private var hasBoards: Bool { !assembledMotherboard().snapshot().ids.isEmpty }

    private func arrange() {
        let path = restoration.arrange(navigator, isWaiting: assembledMotherboard().snapshot().isWaiting)
        if let path { _ = open(path) }
    }

    // MARK: Drawing

    private func makeDrawing() -> PageDrawing {
        PageDrawing(
            renderer: renderer,
            host: Renderer.Host(action: Address.events(of: id), csrf: csrf.digits),
            navigator: navigator,
            barEntries: { [weak self] in self?.assumeIsolated { $0.barEntries } ?? [] },
            onChange: { [weak self] change, round in
                Task { await self?.redraw(change, round: round) }
            }
        )
    }

    private var barEntries: [BarEntry] { isEnded ? [] : assembledMotherboard().contributions(to: .barEntries) }

    /// Returns the links of the bar, for a page without a screen.
    func bar() -> String { renderer.bar(barEntries, path: "") }

    private func redraw(_ change: PageDrawing.Change, round: Int) {
        guard !isEnded else { return }
        if case .screens = change {
            arrange()
            history.prune(navigator)
        }
        guard metrics.turn({ drawing.redraw(change, round: round) }) else { return }
        connections.signal(.changed)
        switch change {
        case .screens, .heading: noteChange()
        case .section, .bar, .dialog: break
        }
    }

    /// Returns the page as it is now.
    ///
    /// - Parameter page: the key in the address by which an unfinished page loads itself again.
    /// - Returns: the page.
    func pageState(for page: Secret? = nil) async -> PageState {
        isShown = true
        drawing.draw()
        await save()
        return PageState(
            drawing.page,
            isMissing: drawing.isMissing,
            reload: isBusy ? resumeAddress(for: page) : nil,
            renderer: renderer
        )
    }

    /// Returns the address of this window for a page without the script.
    ///
    /// The address stays valid if another screen comes on top in the meantime.
    ///
    /// - Parameter page: the key of the page that may receive a new cookie, as long as the window
    ///   is busy.
    /// - Returns: the address.
    func resumeAddress(for page: Secret? = nil) -> String {
        let path = Address.local(navigator.mainScreen?.path ?? "/")
        resumedPath = path
        noteChange()
        return Address.adding(window: id, page: isBusy ? page : nil, to: path)
    }

    /// Returns the changes since version `known`, and the version after them.
    ///
    /// A connection that was removed gets none, because its page may not be the user's any more.
    func changes(since known: Int, for connection: PageConnections.Connection? = nil) async throws -> Changes {
        await save()
        if let connection, !connections.contains(connection) { return Changes(events: [], version: known) }
        return Changes(events: try drawing.page.events(since: known, renderer: renderer), version: drawing.page.version)
    }

    // MARK: Connections

    /// Adds a connection that waits for `signals`, and wakes it at once, so that it sends the
    /// changes since the page was loaded.
    func connect(_ signals: PageConnections.Signals) -> PageConnections.Connection {
        guard !isEnded else { return PageConnections.refuse(signals) }
        isScripted = true
        return connections.add(signals)
    }

    /// Removes a connection.
    func disconnect(_ connection: PageConnections.Connection) {
        connections.remove(connection)
    }

    /// Tells every page of this window to reconnect.
    func reconnect() {
        connections.dismiss(with: .reconnect)
    }

    /// Ends the window: its motherboard completes, its screens close, and its open pages reload.
    func end() {
        guard !isEnded else { return }
        isEnded = true
        preparing?.finish()
        motherboard?.complete()
        navigator.close()
        drawing.stop()
        connections.dismiss(with: .reload)
    }
}

/// The link that a window opened last, in an object so that a handler does not keep the window
/// alive.
private final class LastLink {
    var path = "/"
}
