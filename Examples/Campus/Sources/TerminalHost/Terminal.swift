public import Backplane
import Observation
public import Screens

/// A window in which nobody sits: an actor with a motherboard and a navigation, driven by calls and drawn as text.
///
/// Call ``end()`` when it is not needed any more: work of a board keeps its actor, which is the
/// terminal, alive until then.
///
/// It knows of no app. What it is given fills the motherboard, as in any other host; then links are opened, events are sent
/// to the screen on top, and in between one waits until the screen has ``settle(within:on:)``d.
///
/// ```swift
/// let terminal = Terminal { motherboard, navigation, end in
///     motherboard.install(CounterModule(navigation: navigation))
/// }
/// await terminal.open("/counter")
/// await terminal.send(ScreenEvent(name: "increment"))
/// if await terminal.settle(within: .seconds(10)) { print(await terminal.screenText) }
/// print(await terminal.logText)
/// ```
public actor Terminal {
    /// Fills a motherboard by installing an app's modules; `end` is for the app to end the terminal, as by a log-out.
    ///
    /// Runs once, on the terminal's actor, before anything else is done there.
    public typealias Assembly =
        @Sendable (Motherboard, Navigation, _ end: @escaping @Sendable () async -> Void) -> Void

    private let assemble: Assembly
    private let navigation = Navigation()
    private let log = EventLog()
    private var motherboard: Motherboard?
    private var isEnded = false
    private let lastLink = LastLink()

    /// A terminal that shows nothing yet.
    ///
    /// - Parameter assemble: fills the motherboard.
    public init(assemble: @escaping Assembly) {
        self.assemble = assemble
    }

    // MARK: Driving

    /// Opens a link wherever the app says it leads.
    ///
    /// - Parameter link: `myapp://course/abc123` or `/course/abc123`.
    /// - Returns: what the app answers at once; ``linkAnswer`` says what has become of it later.
    @discardableResult
    public func open(_ link: String) -> LinkAnswer {
        lastLink.path = link
        lastLink.activation = assembledMotherboard().open(link)
        return linkAnswer
    }

    /// What has become of the last link by now: one that waited may have been let through or denied meanwhile.
    public var linkAnswer: LinkAnswer {
        lastLink.activation.map { LinkAnswer($0.result) } ?? .noMatch
    }

    /// Lets the screen on top do what a person would ask of it; without a screen nothing happens.
    public func send(_ event: ScreenEvent) {
        navigation.top?.handle(event)
    }

    /// Hands out the motherboard, for what no link leads to.
    ///
    /// - Parameter body: is called on the terminal's actor.
    /// - Returns: what `body` returns.
    public func withMotherboard<Value: Sendable>(_ body: @Sendable (Motherboard) throws -> Value) rethrows -> Value {
        try body(assembledMotherboard())
    }

    /// Ends the terminal: its motherboard completes and its screens leave.
    public func end() {
        isEnded = true
        motherboard?.complete()
        navigation.close()
        log.close()
    }

    private func assembledMotherboard() -> Motherboard {
        if let motherboard { return motherboard }
        let motherboard = Motherboard()
        self.motherboard = motherboard
        motherboard.observe { [log] event in log.append(event) }
        navigation.showDenials(on: motherboard) { [lastLink] in lastLink.path }
        assemble(motherboard, navigation) { [weak self] in await self?.end() }
        log.scopes = Set(motherboard.graph().edges.filter { $0.kind == .scope }.map(\.from))
        // Used for the first time after its end; what is activated on it would never end.
        if isEnded { motherboard.complete() }
        return motherboard
    }

    // MARK: Waiting

    /// Waits until the top screen has loaded and no board is at work, or until `limit` has passed.
    ///
    /// A board that has a live one inside it is not waited for: it may be awaiting what a person has yet to answer there.
    ///
    /// - Parameters:
    ///   - limit: how long to wait at most.
    ///   - clock: measures that.
    /// - Returns: whether it has come to rest.
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

    private var isBusy: Bool { log.isAtWork || navigation.top?.isBusy ?? false }

    private func waitUntilIdle() async {
        while !Task.isCancelled {
            let (changes, change) = AsyncStream<Void>.makeStream()
            let isBusy = withObservationTracking {
                self.isBusy
            } onChange: {
                // Before the change is made; who waits runs after the turn that makes it.
                change.finish()
            }
            guard isBusy else { return }
            for await _ in changes {}
        }
    }

    // MARK: Showing

    /// The top screen as text: title, path, the model of each section, and the links of the bar.
    public var screenText: String {
        if isEnded { return "The session has ended." }
        let bar = motherboard?.contributions(to: .barEntries) ?? []
        return navigation.stack.last.map { ScreenText($0, bar: bar).description } ?? "Nothing is shown."
    }

    /// Every event so far, one a line: when, what, which board, and a sentence.
    public var logText: String { log.description }

    /// Whether the top screen has a section that is drawn with this template.
    public func shows(template: String) -> Bool {
        navigation.top?.sections.contains { $0.template == template } ?? false
    }
}

/// The link that a terminal opened last, for a handler that does not keep the terminal alive.
private final class LastLink {
    var path = "/"
    var activation: LinkActivation?
}
