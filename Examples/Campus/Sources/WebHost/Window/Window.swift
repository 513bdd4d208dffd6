import Backplane
import Observation
import Screens

/// One tab: the actor on which its motherboard, its navigation and its screens live.
///
/// It redraws what changes, section by section, and wakes the connections that show it. How long it lives is decided by
/// its session.
actor Window {
    /// What became of a link.
    enum Opening: Equatable {
        case shown
        case unknown
        case malformed
        case denied
    }

    /// What wakes a connection; only the newest counts.
    enum Signal {
        case changed
        case reconnect
        case reload
    }

    /// A connection's place at the window.
    struct Connection: Sendable {
        let id: Int
        let signals: AsyncStream<Signal>
    }

    /// A page as it is loaded.
    struct Snapshot: Sendable {
        let title: String
        let bar: String
        let main: String
        let version: Int
        let path: String
    }

    nonisolated let id: WindowID
    nonisolated let csrf: Secret

    private let renderer: Renderer
    private let assemble: @Sendable (Motherboard, Navigation) -> Void
    private let prepareApp: (@Sendable (Motherboard) async -> Void)?
    let navigation = Navigation()
    private let lastLink = LastLink()
    private var motherboard: Motherboard?
    private(set) var isEnded = false
    /// The path that a page without script was last sent to.
    var resumedPath: String?
    private var connections: [Int: AsyncStream<Signal>.Continuation] = [:]
    private var connectionCount = 0

    var page = Page()
    /// The screen that ``page`` shows; kept, so that no other can take its identity.
    private var shown: (any Screen)?
    private var sections: [Section] = []
    /// Tells news of what is tracked now from news of what was tracked before.
    private var round = 0

    /// How the window is kept beyond the process; nil if it is not.
    var keeping: WindowKeeping?
    /// What was kept last.
    var kept: WindowRecord?
    /// Says that there may be something to keep.
    var change: AsyncStream<Void>.Continuation?
    /// What the window is to come back as, until its boards are there again; nil if it is a new one.
    var record: WindowRecord?
    var restoration: Task<Bool, Never>?
    /// The screens that are to be there again, until they are.
    var returning: [WindowRecord.Place]?

    init(
        id: WindowID,
        renderer: Renderer,
        keeping: WindowKeeping?,
        record: WindowRecord?,
        prepare: (@Sendable (Motherboard) async -> Void)? = nil,
        assemble: @escaping @Sendable (Motherboard, Navigation) -> Void
    ) {
        self.id = id
        csrf = record?.csrf ?? .random()
        self.renderer = renderer
        self.keeping = keeping
        self.record = record
        self.assemble = assemble
        prepareApp = prepare
    }

    // MARK: Links and events

    /// Opens a link, a path with its query, wherever the app says it leads.
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

    /// Shows the window as it is to a page that was sent to look again, and to any other the screen it asks for.
    func resume(at path: String) -> Opening {
        path == resumedPath || path == navigation.top?.path ? .shown : navigate(to: path)
    }

    /// Goes back to the screen of that path, or opens it.
    func navigate(to path: String) -> Opening {
        // Whatever was to come back: this is where somebody wants to be now.
        returning = nil
        return navigation.back(to: path) ? .shown : open(path)
    }

    /// Hands an event to the screen it was meant for; one for a screen that is no longer on top changes nothing.
    func handle(_ event: ScreenEvent, screen number: Int) {
        guard number == page.number, let shown, shown === navigation.top else { return }
        shown.handle(event)
    }

    /// Returns when the top screen has finished loading, or after `limit`.
    func settle(within limit: Duration, on clock: any Clock<Duration>) async {
        await wait(while: { $0.isBusy }, within: limit, on: clock)
    }

    /// Whether the person is to wait: nothing is shown yet, or what is shown is still loading.
    private var isBusy: Bool { !isEnded && navigation.top?.isBusy ?? true }

    /// Returns when something that is observed has come to an end, or after `limit`.
    func wait(
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
                // Before the change is made; who waits runs after the turn that makes it.
                change.finish()
            }
            guard isPending else { return }
            for await _ in changes {}
        }
    }

    func assembledMotherboard() -> Motherboard {
        if let motherboard { return motherboard }
        let motherboard = Motherboard()
        self.motherboard = motherboard
        if let record { lastLink.path = record.path }
        navigation.showDenials(on: motherboard) { [lastLink] in lastLink.path }
        assemble(motherboard, navigation)
        keepUp(with: motherboard)
        return motherboard
    }

    /// Has the app prepare the motherboard, and returns when it has, or after `limit`.
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

    // MARK: Drawing

    /// The page as it is now.
    func snapshot() async -> Snapshot {
        track()
        await save()
        return Snapshot(
            title: page.heading.title,
            bar: page.bar.html,
            main: main(reload: isBusy ? resumeAddress() : nil),
            version: page.version,
            path: page.heading.path
        )
    }

    /// Where a page without script finds this window as it is, even if another screen comes on top meanwhile.
    func resumeAddress() -> String {
        let path = Address.local(navigation.top?.path ?? "/")
        resumedPath = path
        change?.yield()
        return Address.adding(window: id, to: path)
    }

    /// What has changed since `known`, and the version that makes.
    func changes(since known: Int) async throws -> (events: [ServerSentEvent], version: Int) {
        await save()
        var events = try page.changes(since: known).map { change in
            switch change {
            case .screen: try ServerSentEvent(screen: screen(html: main(reload: nil)))
            case .heading: try ServerSentEvent(screen: screen(html: nil))
            case .bar: try ServerSentEvent(section: .init(id: page.bar.id, html: page.bar.html))
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

    /// Draws the top screen, and again when another is on top or it has other sections.
    func track() {
        round += 1
        let entry: Navigation.Entry?
        (entry, sections) = withObservationTracking {
            (navigation.stack.last, navigation.top?.sections ?? [])
        } onChange: { [weak self, round] in
            Task { await self?.screenChanged(round) }
        }
        let isNew = page.number == 0 || entry?.screen !== shown
        shown = entry?.screen
        let heading = heading()
        // The forms of a new screen must name it, not the one before.
        let number = isNew ? page.number + 1 : page.number
        let parts = sections.map { Page.Part(id: $0.id, html: draw($0, screen: number)) }
        if isNew {
            page.show(isModal: entry?.isModal ?? false, heading: heading, parts: parts)
        } else {
            page.retitle(heading)
            page.redraw(parts)
        }
        page.redrawBar(html: drawBar())
    }

    private func heading() -> Page.Heading {
        withObservationTracking {
            Page.Heading(title: shown?.title ?? "", path: shown?.path ?? page.heading.path)
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
        change?.yield()
    }

    private func headingChanged(_ round: Int) {
        guard round == self.round, !isEnded else { return }
        page.retitle(heading())
        page.redrawBar(html: drawBar())
        signal(.changed)
        change?.yield()
    }

    private func barChanged(_ round: Int) {
        guard round == self.round, !isEnded else { return }
        page.redrawBar(html: drawBar())
        signal(.changed)
    }

    private func sectionChanged(_ id: String, _ round: Int) {
        guard round == self.round, !isEnded, let section = sections.first(where: { $0.id == id }) else { return }
        page.redraw(id, html: draw(section, screen: page.number))
        signal(.changed)
    }

    // MARK: Connections

    /// A place for one more connection; it is woken at once, to say what has changed since the page was loaded.
    func connect() -> Connection {
        let (signals, continuation) = AsyncStream<Signal>.makeStream(bufferingPolicy: .bufferingNewest(1))
        connectionCount += 1
        if isEnded {
            continuation.yield(.reload)
            continuation.finish()
        } else {
            connections[connectionCount] = continuation
            keeping?.isScripted = true
            continuation.yield(.changed)
        }
        return Connection(id: connectionCount, signals: signals)
    }

    /// Gives up a connection's place.
    func disconnect(_ connection: Connection) {
        connections[connection.id] = nil
    }

    /// Makes every page of this window connect anew.
    func reconnect() {
        dismissConnections(.reconnect)
    }

    /// Ends the window: its motherboard completes, its screens leave, and a page that still shows it starts anew.
    func end() {
        guard !isEnded else { return }
        isEnded = true
        change?.finish()
        motherboard?.complete()
        navigation.close()
        shown = nil
        sections = []
        dismissConnections(.reload)
    }

    /// The last word to every connection, which no later signal replaces.
    private func dismissConnections(_ signal: Signal) {
        self.signal(signal)
        for connection in connections.values { connection.finish() }
        connections = [:]
    }

    private func signal(_ signal: Signal) {
        for connection in connections.values { connection.yield(signal) }
    }
}

/// The link that a window opened last, for a handler that does not keep the window alive.
private final class LastLink {
    var path = "/"
}
