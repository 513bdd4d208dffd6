public import Backplane
public import BackplaneNavigation
import Observation
public import Screens

/// A window without a user: an actor with a motherboard and a navigator, driven by calls and shown
/// as text.
///
/// Call ``end()`` when you no longer need the terminal. Until then, running work of a board keeps
/// its actor alive, which is the terminal.
///
/// A terminal does not know an app. As in any other host, the assembly fills the motherboard. Then
/// you open links and send events to the top screen. In between, you wait with
/// ``settle(within:on:)``.
///
/// ```swift
/// let terminal = Terminal { motherboard, navigator, end in
///     motherboard.install(CounterModule(navigator: navigator))
/// }
/// await terminal.open("/counter")
/// await terminal.send(ScreenEvent(name: "increment"))
/// if await terminal.settle(within: .seconds(10)) { print(await terminal.screenText) }
/// print(await terminal.logText)
/// ```
public actor Terminal {
    /// A closure that fills a motherboard by installing an app's modules.
    ///
    /// It runs once, on the terminal's actor, before all other work there. The app calls `end` to
    /// end the terminal, for example after a sign-out.
    public typealias Assembly =
        @Sendable (Motherboard, ScreenNavigator, _ end: @escaping @Sendable () async -> Void) -> Void

    private let assemble: Assembly
    private let faces: TerminalFaces
    private lazy var navigator = ScreenNavigator(owner: self, hasTransitions: false)
    private let log = EventLog()
    private var motherboard: Motherboard?
    private var isEnded = false
    private let lastLink = LastLink()

    /// Creates a terminal that shows nothing yet.
    ///
    /// - Parameters:
    ///   - faces: the looks of the app's screens, one for each type of screen.
    ///   - assemble: fills the motherboard.
    public init(faces: [any TerminalFace] = [], assemble: @escaping Assembly) {
        self.faces = TerminalFaces(faces)
        self.assemble = assemble
    }

    // MARK: Driving

    /// Opens a link.
    ///
    /// - Parameter link: `myapp://course/abc123` or `/course/abc123`.
    /// - Returns: the immediate result; read ``linkAnswer`` for later changes.
    @discardableResult
    public func open(_ link: String) -> LinkOutcome {
        lastLink.path = link
        lastLink.activation = assembledMotherboard().open(link)
        return linkAnswer
    }

    /// The current result of the last link; a waiting link may have been opened or denied since.
    public var linkAnswer: LinkOutcome {
        lastLink.activation.map { LinkOutcome($0.result) } ?? .noMatch
    }

    /// Sends an event to the top screen; without a screen nothing happens.
    ///
    /// If a dialog is open, the event chooses the button of that name: `keep-editing` for the label
    /// "Keep editing".
    public func send(_ event: ScreenEvent) {
        guard let dialog = navigator.topLayer.dialog else {
            if let screen = navigator.top?.screen { faces.handle(event, on: screen) }
            return
        }
        if let button = dialog.buttons.first(where: { DialogText.name(of: $0) == event.name }) {
            dialog.choose(button.id)
        }
    }

    /// Gives access to the motherboard, for actions without a link.
    ///
    /// - Parameter body: called on the terminal's actor.
    /// - Returns: the result of `body`.
    public func withMotherboard<Value: Sendable>(_ body: @Sendable (Motherboard) throws -> Value) rethrows -> Value {
        try body(assembledMotherboard())
    }

    /// Ends the terminal: its motherboard completes and its screens close.
    public func end() {
        isEnded = true
        motherboard?.complete()
        navigator.close()
        log.close()
    }

    private func assembledMotherboard() -> Motherboard {
        if let motherboard { return motherboard }
        let motherboard = Motherboard()
        self.motherboard = motherboard
        motherboard.observe { [log] event in log.append(event) }
        navigator.showDenials(on: motherboard) { [lastLink] in lastLink.path }
        assemble(motherboard, navigator) { [weak self] in await self?.end() }
        log.scopes = motherboard.graph().scopes
        // The terminal ended before its first use. Boards activated on its motherboard would never
        // end.
        if isEnded { motherboard.complete() }
        return motherboard
    }

    // MARK: Waiting

    /// Waits until the top screen has loaded and no board is working, or until `limit` has passed.
    ///
    /// A board that encloses another live board does not count as working, because it may be
    /// waiting for the user's answer there. While a dialog is open, no board counts.
    ///
    /// - Parameters:
    ///   - limit: the longest time to wait.
    ///   - clock: the clock that measures the limit.
    /// - Returns: whether no board is working and the screen has loaded.
    public func settle(within limit: Duration, on clock: any Clock<Duration> = ContinuousClock()) async -> Bool {
        guard isBusy else { return true }
        await withTaskGroup { group in
            group.addTask { await self.waitUntilIdle() }
            group.addTask { try? await clock.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
        return !isBusy
    }

    private var isBusy: Bool {
        navigator.topLayer.dialog == nil && (log.isAtWork || navigator.top?.screen.isBusy ?? false)
    }

    private func waitUntilIdle() async {
        while !Task.isCancelled {
            let (changes, change) = AsyncStream<Void>.makeStream()
            let isBusy = withObservationTracking {
                self.isBusy
            } onChange: {
                // This runs before the change, but the waiting code runs after the turn that makes
                // the change.
                change.finish()
            }
            guard isBusy else { return }
            for await _ in changes {}
        }
    }

    // MARK: Showing

    /// The top screen as text: title, path, the lines of each section, and the links of the bar.
    public var screenText: String {
        if isEnded { return "The session has ended." }
        let bar = motherboard?.contributions(to: .barEntries) ?? []
        if let dialog = navigator.topLayer.dialog { return DialogText(dialog).description }
        guard let screen = navigator.top?.screen else { return "No screen is shown." }
        return ScreenText(screen, faces: faces, isModal: navigator.topLayer.style != nil, bar: bar).description
    }

    /// All events so far, one on each line: the time, the kind, the board, and a message.
    public var logText: String { log.description }

    /// Returns whether the top screen is of this type.
    public func shows<Model: Screen>(_ type: Model.Type) -> Bool {
        navigator.top?.screen is Model
    }
}

/// The link that a terminal opened last, in an object so that a handler does not keep the terminal
/// alive.
private final class LastLink {
    var path = "/"
    var activation: OpenedLink?
}
