import Backplane
import BackplaneNavigation
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

    /// A signal that wakes a connection; only the newest signal counts.
    enum Signal {
        case changed
        case reconnect
        case reload
    }

    /// One connection of a page to the window.
    struct Connection: Sendable {
        let id: Int
        let signals: AsyncStream<Signal>
    }

    /// A page as it is loaded.
    struct Snapshot: Sendable {
        let title: String
        let bar: String
        let dialog: String
        let main: String
        let version: Int
        let path: String
        let isMissing: Bool
    }

    nonisolated let id: WindowID
    nonisolated let csrf: Secret

    private let renderer: Renderer
    private let assemble: @Sendable (Motherboard, ScreenNavigator) -> Void
    private let prepareApp: (@Sendable (Motherboard) async -> Void)?
    private lazy var navigator = ScreenNavigator(owner: self, pace: .immediate)
    private let lastLink = LastLink()
    private var motherboard: Motherboard?
    private(set) var isEnded = false
    /// The path of the last redirect of a page without the script.
    private var resumedPath: String?
    private var connections: [Int: AsyncStream<Signal>.Continuation] = [:]
    private var connectionCount = 0
    /// The IDs of the events that were handled last.
    private var handledEvents: [String] = []

    private var page = Page()
    /// The screen that ``page`` shows; it is kept so that no other screen can get the same
    /// identity.
    private var shown: (any Screen)?
    private var sections: [Section] = []
    /// The dialog that ``page`` shows.
    private var asked: PresentedDialog?
    /// The number of the dialog that ``page`` shows; an answer with another number is ignored.
    private var dialogNumber = 0
    /// The number of the current tracking; changes from an earlier tracking are ignored.
    private var round = 0

    /// The keeper that stores the window; `nil` if the window is not stored.
    private let keeper: WindowKeeper?
    private var isScripted: Bool
    private let restoration: WindowRestoration

    init(
        id: WindowID,
        renderer: Renderer,
        keeping: WindowKeeping?,
        record: WindowRecord?,
        prepare: (@Sendable (Motherboard) async -> Void)? = nil,
        assemble: @escaping @Sendable (Motherboard, ScreenNavigator) -> Void
    ) {
        self.id = id
        csrf = record?.csrf ?? .random()
        self.renderer = renderer
        keeper = keeping.map(WindowKeeper.init)
        isScripted = keeping?.isScripted ?? false
        restoration = WindowRestoration(record)
        self.assemble = assemble
        prepareApp = prepare
    }

    // MARK: Links and events

    /// Opens a link, which is a path with its query.
    func open(_ link: String) -> Opening {
        guard !isEnded else { return .unknown }
        lastLink.path = Address.removingWindow(from: Address.local(link)).link
        return switch assembledMotherboard().open(link).result {
        case .opened, .waiting: .shown
        case .denied, .cancelled: .denied
        case .noMatch, .notAllowed, .ownerGone: .unknown
        case .invalid: .malformed
        }
    }

    /// Shows the window as it is if the page was redirected here, and otherwise the requested
    /// screen.
    func resume(at path: String) -> Opening {
        path == resumedPath || path == navigator.top?.screen.path ? .shown : navigate(to: path)
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
    ///   - number: the number of the screen that the event is for.
    func handle(_ event: ScreenEvent, id: String?, screen number: Int) {
        if let id {
            guard !handledEvents.contains(id) else { return }
            // A page sends one event after the other, so only the last ones can come again.
            handledEvents = handledEvents.suffix(15) + [id]
        }
        guard number == page.number, let shown, shown === navigator.top?.screen else { return }
        renderer.faces.handle(event, on: shown)
    }

    /// Passes the user's answer to the open dialog; an answer to an earlier dialog is ignored.
    ///
    /// - Parameters:
    ///   - button: the ID of the chosen button; `nil` if the user hid the dialog.
    ///   - number: the number of the dialog that the answer is for.
    func answer(_ button: Int?, dialog number: Int) {
        guard number == dialogNumber, let asked, asked === navigator.topLayer.dialog else { return }
        if let button { asked.choose(button) } else { navigator.topLayer.isAsking = false }
    }

    /// Returns when the top screen has finished loading, or after `limit`.
    func settle(within limit: Duration, on clock: any Clock<Duration>) async {
        await wait(while: { $0.isBusy }, within: limit, on: clock)
    }

    /// Whether the window shows no screen yet, or its screen is still loading.
    ///
    /// A screen that waits for the answer to a dialog is not busy.
    private var isBusy: Bool {
        !isEnded && !navigator.topLayer.isAsking && navigator.top?.screen.isBusy ?? true
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
        keeper?.observe(motherboard) { [weak self] in await self?.save() }
        return motherboard
    }

    /// Lets the app prepare the motherboard, and returns when the app has finished, or after
    /// `limit`.
    func prepare(within limit: Duration, on clock: any Clock<Duration>) async {
        guard prepareApp != nil else { return }
        let (end, preparing) = AsyncStream<Never>.makeStream()
        Task {
            await prepareApp?(assembledMotherboard())
            preparing.finish()
        }
        await withTaskGroup { group in
            group.addTask { for await _ in end {} }
            group.addTask { try? await clock.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    // MARK: Storing

    /// The record that was stored last.
    var storedRecord: WindowRecord? { keeper?.stored }

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
            screen: UInt32(clamping: page.number),
            path: page.heading.path,
            resumedPath: resumedPath,
            stack: restoration.places(of: navigator, isWaiting: boards.isWaiting),
            boards: boards
        )
    }

    /// Restores the window from its record, if it has one.
    ///
    /// Returns when a screen is shown, or after `limit`, because boards may have to wait at a gate
    /// first. Concurrent callers share one restoration.
    ///
    /// - Parameters:
    ///   - limit: the longest time to wait.
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
        let number = Int(record.screen)
        page = Page(version: version, number: number, path: record.path)
        await prepare(within: limit, on: clock)
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
        if let top = navigator.top, top.screen.path == record.path {
            page = Page(version: version, number: max(0, number - 1), path: top.screen.path)
        }
        track()
        return isEnded || hasBoards || navigator.top != nil
    }

    private var isBlank: Bool { !isEnded && navigator.top == nil }

    private var hasBoards: Bool { !assembledMotherboard().snapshot().boards.isEmpty }

    private func arrange() {
        let path = restoration.arrange(navigator, isWaiting: assembledMotherboard().snapshot().isWaiting)
        if let path { _ = open(path) }
    }

    // MARK: Drawing

    /// Returns the page as it is now.
    func snapshot() async -> Snapshot {
        track()
        await save()
        return Snapshot(
            title: page.heading.title,
            bar: page.bar.html,
            dialog: page.dialog.html,
            main: main(reload: isBusy ? resumeAddress() : nil),
            version: page.version,
            path: page.heading.path,
            isMissing: shown?.isMissing ?? false
        )
    }

    /// Returns the address of this window for a page without the script.
    ///
    /// The address stays valid if another screen comes on top in the meantime.
    func resumeAddress() -> String {
        let path = Address.local(navigator.top?.screen.path ?? "/")
        resumedPath = path
        keeper?.noteChange()
        return Address.adding(window: id, to: path)
    }

    /// Returns the changes since version `known`, and the version after them.
    func changes(since known: Int) async throws -> (events: [ServerSentEvent], version: Int) {
        await save()
        var events = try page.changes(since: known).map { change in
            switch change {
            case .screen: try ServerSentEvent(screen: screen(html: main(reload: nil)))
            case .heading: try ServerSentEvent(screen: screen(html: nil))
            case .bar: try ServerSentEvent(section: .init(id: page.bar.id, html: page.bar.html))
            case .dialog: try ServerSentEvent(section: .init(id: page.dialog.id, html: page.dialog.html))
            case .section(let index):
                try ServerSentEvent(section: .init(id: page.parts[index].id, html: page.parts[index].html))
            }
        }
        if !events.isEmpty { events[events.count - 1].id = page.version }
        return (events, page.version)
    }

    private func screen(html: String?) -> ServerSentEvent.Screen {
        ServerSentEvent.Screen(
            number: String(page.number),
            title: page.heading.title,
            documentTitle: renderer.documentTitle(page.heading.title),
            path: page.heading.path,
            html: html
        )
    }

    private func main(reload: String?) -> String {
        renderer.main(
            Renderer.Main(
                screen: shown == nil ? nil : page.number,
                title: page.heading.title,
                isModal: page.isModal,
                message: nil,
                parts: page.parts.map { Renderer.Main.Part(id: $0.id, html: $0.html) },
                reload: reload
            )
        )
    }

    // MARK: Tracking

    /// Draws the top screen, and draws again when the top screen or its list of sections changes.
    private func track() {
        round += 1
        let isModal: Bool
        let top: (any Screen)?
        (top, isModal, sections) = withObservationTracking {
            let top = navigator.top?.screen
            return (top, navigator.topLayer.style != nil, top.map(renderer.faces.sections) ?? [])
        } onChange: { [weak self, round] in
            Task { await self?.screenChanged(round) }
        }
        let isNew = page.number == 0 || top !== shown
        shown = top
        let heading = heading()
        // The forms of a new screen must contain its own number, not the previous one.
        let number = isNew ? page.number + 1 : page.number
        let parts = sections.map { Page.Part(id: $0.id, html: draw($0, screen: number)) }
        if isNew {
            page.show(isModal: isModal, heading: heading, parts: parts)
        } else {
            page.retitle(heading)
            page.redraw(parts)
        }
        page.redrawBar(html: drawBar())
        page.redrawDialog(html: drawDialog())
    }

    private func heading() -> Page.Heading {
        withObservationTracking {
            Page.Heading(title: shown.map(renderer.faces.title) ?? "", path: shown?.path ?? page.heading.path)
        } onChange: { [weak self, round] in
            Task { await self?.headingChanged(round) }
        }
    }

    private func drawBar() -> String {
        withObservationTracking {
            renderer.bar(isEnded ? [] : assembledMotherboard().contributions(to: .barEntries), path: page.heading.path)
        } onChange: { [weak self, round] in
            Task { await self?.barChanged(round) }
        }
    }

    /// Draws the dialog of the highest layer; an empty text if there is none.
    private func drawDialog() -> String {
        let dialog = withObservationTracking {
            navigator.topLayer.dialog
        } onChange: { [weak self, round] in
            Task { await self?.dialogChanged(round) }
        }
        if dialog !== asked {
            asked = dialog
            dialogNumber += 1
        }
        guard let dialog else { return "" }
        let host = Renderer.Host(action: Address.events(of: id), csrf: csrf.digits, screen: page.number)
        return renderer.dialog(dialog, number: dialogNumber, host: host)
    }

    private func draw(_ section: Section, screen: Int) -> String {
        withObservationTracking {
            renderer.section(
                section,
                host: Renderer.Host(action: Address.events(of: id), csrf: csrf.digits, screen: screen)
            )
        } onChange: { [weak self, round, id = section.id] in
            Task { await self?.sectionChanged(id, round) }
        }
    }

    private func screenChanged(_ round: Int) {
        guard round == self.round, !isEnded else { return }
        arrange()
        track()
        signal(.changed)
        keeper?.noteChange()
    }

    private func headingChanged(_ round: Int) {
        guard round == self.round, !isEnded else { return }
        page.retitle(heading())
        page.redrawBar(html: drawBar())
        signal(.changed)
        keeper?.noteChange()
    }

    private func barChanged(_ round: Int) {
        guard round == self.round, !isEnded else { return }
        page.redrawBar(html: drawBar())
        signal(.changed)
    }

    private func dialogChanged(_ round: Int) {
        guard round == self.round, !isEnded else { return }
        page.redrawDialog(html: drawDialog())
        signal(.changed)
    }

    private func sectionChanged(_ id: String, _ round: Int) {
        guard round == self.round, !isEnded, let section = sections.first(where: { $0.id == id }) else { return }
        page.redraw(id, html: draw(section, screen: page.number))
        signal(.changed)
    }

    // MARK: Connections

    /// Adds a connection and wakes it at once, so that it sends the changes since the page was
    /// loaded.
    func connect() -> Connection {
        let (signals, continuation) = AsyncStream<Signal>.makeStream(bufferingPolicy: .bufferingNewest(1))
        connectionCount += 1
        if isEnded {
            continuation.yield(.reload)
            continuation.finish()
        } else {
            connections[connectionCount] = continuation
            isScripted = true
            continuation.yield(.changed)
        }
        return Connection(id: connectionCount, signals: signals)
    }

    /// Removes a connection.
    func disconnect(_ connection: Connection) {
        connections[connection.id] = nil
    }

    /// Tells every page of this window to reconnect.
    func reconnect() {
        dismissConnections(.reconnect)
    }

    /// Ends the window: its motherboard completes, its screens close, and its open pages reload.
    func end() {
        guard !isEnded else { return }
        isEnded = true
        keeper?.finish()
        motherboard?.complete()
        navigator.close()
        shown = nil
        asked = nil
        sections = []
        dismissConnections(.reload)
    }

    /// Sends a last signal to every connection, which no later signal replaces.
    private func dismissConnections(_ signal: Signal) {
        self.signal(signal)
        for connection in connections.values { connection.finish() }
        connections = [:]
    }

    private func signal(_ signal: Signal) {
        for connection in connections.values { connection.yield(signal) }
    }
}

/// The link that a window opened last, in an object so that a handler does not keep the window
/// alive.
private final class LastLink {
    var path = "/"
}
