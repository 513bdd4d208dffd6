import BackplaneConcurrency

/// Where boards are registered, activated by identity and connected with each other.
///
/// **Isolation.** A motherboard belongs to the actor it is made on and is not `Sendable`: the main actor in an app, one actor
/// per window on a server. Every call is synchronous on that actor; nothing hops. Use off the actor, which only code that
/// escapes the compiler's checks can manage, traps.
///
/// **Order.** ``activate(_:with:)`` and ``send(_:to:)`` are direct calls. Outputs, actions and completions are delivered in the order
/// sent, one at a time, in the whole tree of nested motherboards; the outermost call delivers everything it caused before
/// it returns. Cycles of boards therefore do not grow the stack.
///
/// **Lifetime.** Boards live until they complete or the motherboard goes. ``complete()`` ends it in good order, completion flows
/// included. When the last reference goes without that, boards are let go and their tasks cancelled, and no handler runs.
/// Flow handlers *receive* the motherboard: capture neither it in one nor, strongly, an object that holds it.
///
/// ```swift
/// let motherboard = Motherboard()
/// motherboard.register(.login) { slot in LoginBoard(slot: slot) }
/// motherboard.register(.dashboard) { slot in DashboardBoard(slot: slot) }
/// motherboard.registerFlowSteps(.login ->>> .dashboard)
/// motherboard.activate(.login)
/// ```
public final class Motherboard {
    let scheduler: TurnScheduler
    /// The entry of the board that this motherboard is inside of; nil at the root.
    let host: AnyBoardEntry?
    /// The number of that board.
    let hostNumber: UInt64
    private(set) var isCompleted = false

    private let entries = BoardTable()
    // By base class: see `downcast`. Only `add` puts anything in. An array, because a motherboard handles few types of action,
    // and comparing a few is quicker than hashing one.
    private var actionFlows: [AnyActionFlows] = []
    private var actionTypes: [ObjectIdentifier] = []
    var generalGates: [GeneralGate] = []
    var denialFlows: [DenialFlow] = []
    var fallback: ((AnyBoardID, Motherboard) -> Void)?
    var observers: [Observer] = []
    var modules: Set<ModuleKey> = []
    var isInstalling = false
    var links = LinkRouter<LinkTarget>()
    /// The boards that are scopes of this motherboard.
    var scopes: [AnyBoardEntry] = []
    // By base class: see `downcast`. Only `contribute` puts anything in.
    var contributionLists: [Contributions] = []
    /// The lifetimes that this motherboard is paired with.
    var bindings: LifetimeBindings?

    /// A motherboard that belongs to the actor it is made on.
    ///
    /// Where there is no such actor, as in the initial value of a stored property, this does not compile: there use
    /// ``onMain(turnBudget:clock:)``, or on an actor of your own `lazy var` and ``init(owner:turnBudget:clock:)``. In an actor's
    /// asynchronous initializer, where the compiler lets it pass, it traps.
    ///
    /// **Lifetime.** A task of a board keeps its actor alive until it ends. So a motherboard that
    /// is dropped without ``complete()`` while tasks run on an actor of its own keeps that actor,
    /// and all that it holds, alive: forever, if a task never ends. Complete it, or
    /// ``pair(with:)`` it with what uses the actor.
    ///
    /// - Parameters:
    ///   - turnBudget: after how many deliveries in one turn ``BoardEvent/Kind/turnBudgetExceeded`` is raised.
    ///   - clock: tells when an ended board counts as ``BoardEvent/Kind/leaked``.
    ///   - isolation: the actor; leave it to its default.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    public init(
        turnBudget: Int = 100_000,
        clock: any Clock<Duration> = ContinuousClock(),
        isolation: isolated any Actor = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        CallSite(fileID, line).require(
            isPresent(isolation),
            "A motherboard was made in an actor's initialiser; use `lazy var` and Motherboard(owner: self) instead."
        )
        scheduler = TurnScheduler(owner: isolation, budget: turnBudget, clock: clock)
        host = nil
        hostNumber = 0
    }

    /// A motherboard that belongs to `owner`, where the compiler cannot know that it is made there.
    ///
    /// Used anywhere else than on `owner` it traps.
    ///
    /// ```swift
    /// actor Window {
    ///     private lazy var motherboard = Motherboard(owner: self)
    /// }
    /// ```
    ///
    /// **Lifetime.** A task of a board keeps its actor alive until it ends. So a motherboard that
    /// is dropped without ``complete()`` while tasks run on an actor of its own keeps that actor,
    /// and all that it holds, alive: forever, if a task never ends. Complete it, or
    /// ``pair(with:)`` it with what uses the actor.
    ///
    /// - Parameters:
    ///   - owner: the actor, which must be the one that will use the motherboard; it is not kept alive.
    ///   - turnBudget: after how many deliveries in one turn ``BoardEvent/Kind/turnBudgetExceeded`` is raised.
    ///   - clock: tells when an ended board counts as ``BoardEvent/Kind/leaked``.
    public init(owner: any Actor, turnBudget: Int = 100_000, clock: any Clock<Duration> = ContinuousClock()) {
        scheduler = TurnScheduler(owner: owner, budget: turnBudget, clock: clock)
        host = nil
        hostNumber = 0
    }

    /// A motherboard that belongs to the main actor, for the initial values of stored properties.
    ///
    /// - Parameters:
    ///   - turnBudget: after how many deliveries in one turn ``BoardEvent/Kind/turnBudgetExceeded`` is raised.
    ///   - clock: tells when an ended board counts as ``BoardEvent/Kind/leaked``.
    /// - Returns: the motherboard.
    @MainActor public static func onMain(
        turnBudget: Int = 100_000,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> Motherboard {
        Motherboard(turnBudget: turnBudget, clock: clock, isolation: MainActor.shared)
    }

    init(inside liveBoard: AnyLiveBoard) {
        let host = liveBoard.untypedEntry
        scheduler = host.scheduler
        self.host = host
        hostNumber = liveBoard.number
    }

    /// What a slot whose board has ended has for a nested motherboard.
    init(endedIn scheduler: TurnScheduler) {
        self.scheduler = scheduler
        host = nil
        hostNumber = 0
        isCompleted = true
    }

    deinit {
        // First everything is made inert, then let go: a board's `deinit` may call back into what is still standing.
        // What stands for the inside of an ended board is completed, and nothing of the tree is its own.
        let ownsTree = host == nil && !isCompleted
        markOrphaned()
        if ownsTree { scheduler.denyAll() }
        dismantle()
    }

    /// The motherboard around this one, as long as there is one.
    var parent: Motherboard? {
        guard let host, host.standing != .orphaned else { return nil }
        return host.motherboard
    }

    /// Whether flows here belong to a board: this motherboard is inside a board that is not a scope.
    ///
    /// An ``EventLog`` entries the effects of such flows as actions of the board, because a stand-in has no such flows.
    var isBoardsOwn: Bool {
        guard let host else { return false }
        return !host.isScope || parent?.isBoardsOwn ?? false
    }

    /// The boards that this motherboard is inside of, the outermost first.
    var enclosing: [BoardInstance] {
        guard let host, let parent else { return [] }
        return parent.enclosing + [BoardInstance(id: host.anyID, number: hostNumber)]
    }

    /// In messages: where a flow has to be registered to be heard here.
    var place: String { host.map { " on the inner motherboard of '\($0.anyID)'" } ?? "" }

    // MARK: Records

    /// Every entry, in the order in which its identity was first spoken of.
    var allEntries: [AnyBoardEntry] { entries.all }

    /// The entry of an ID that is known here or around; nil, and nothing is left behind, where it is not.
    func knownEntry<Contract>(for id: BoardID<Contract>) -> BoardEntry<Contract>? {
        if let entry = existingEntry(for: id) { return entry }
        guard let outer = parent?.nearestEntry(for: id), outer.isKnown else { return nil }
        return entry(for: id)
    }

    /// The entry of an identity on this motherboard, made if need be.
    func entry<Contract>(for id: BoardID<Contract>, at site: CallSite = CallSite()) -> BoardEntry<Contract> {
        checkOwner()
        return entries.find(id.name) { BoardEntry(id: id, motherboard: self) }.typed(as: id, at: site)
    }

    func existingEntry(named name: String) -> AnyBoardEntry? { entries.find(name) }

    func existingEntry<Contract>(for id: BoardID<Contract>) -> BoardEntry<Contract>? {
        guard let entry = entries.find(id.name) else { return nil }
        return entry.typed(as: id)
    }

    /// The nearest entry up the chain, starting here.
    func nearestEntry<Contract>(for id: BoardID<Contract>) -> BoardEntry<Contract>? {
        var level: Motherboard? = self
        while let motherboard = level {
            if let entry = motherboard.existingEntry(for: id) { return entry }
            level = motherboard.parent
        }
        return nil
    }

    func reportMissing(_ id: AnyBoardID, for purpose: Purpose?) {
        raise(.noSuchBoard, board: id) {
            "No board is registered as '\(id)'. Register it, or install its module, on this motherboard or one around it; "
                + "if it is inside a scope, say so with declare(_:inside:)."
        }
        var level: Motherboard? = self
        while let motherboard = level {
            if let fallback = motherboard.fallback {
                let purposeBefore = scheduler.purpose
                scheduler.purpose = purpose
                defer { scheduler.purpose = purposeBefore }
                return motherboard.isBoardsOwn ? fallback(id, self) : scheduler.handleFlow { fallback(id, self) }
            }
            level = motherboard.parent
        }
    }

    // MARK: The end

    func end() {
        guard !isCompleted else { return }
        let (waiting, liveBoards) = (waiting, liveBoards)
        isCompleted = true
        for entry in entries.all { entry.close() }
        for waiter in waiting { waiter.denyAtEnd() }
        for liveBoard in liveBoards { liveBoard.end(.cancelled) }
        withdrawContributions()
        scheduler.enqueue(LastDelivery(of: self))
    }

    /// Every live board, the first activated first.
    var liveBoards: [AnyLiveBoard] {
        entries.all.flatMap(\.liveBoards).sorted { $0.generation < $1.generation }
    }

    func markOrphaned() {
        isCompleted = true
        for entry in entries.all { entry.markOrphaned() }
    }

    func dismantle() {
        scheduler.observerCount -= observers.count
        let bindings = bindings
        self.bindings = nil
        bindings?.cut()
        withdrawContributions()
        // Moved out and let go of when nothing of it can be found here any more.
        let handlers = (actionFlows, generalGates, denialFlows, fallback, links, observers)
        actionTypes = []
        actionFlows = []
        generalGates = []
        denialFlows = []
        fallback = nil
        links = LinkRouter()
        observers = []
        scopes = []
        for entry in entries.all { entry.dismantle() }
        drop(handlers)
    }

    /// Traps, in debug builds, where the motherboard is used off its actor.
    @inline(__always)
    func checkOwner() {
        #if DEBUG
            // The owner of a completed motherboard may be gone.
            if !isCompleted { scheduler.checkOwner() }
        #endif
    }

    // MARK: Actions

    func actionFlows<Action: BoardFlowAction>(of type: Action.Type) -> ActionFlows<Action>? {
        guard let position = actionTypes.firstIndex(of: ObjectIdentifier(type)) else { return nil }
        return downcast(actionFlows[position], to: ActionFlows<Action>.self)
    }

    func add<Action: BoardFlowAction>(_ flow: ActionFlow<Action>) -> FlowToken {
        checkOwner()
        if let flows = actionFlows(of: Action.self) {
            flows.append(flow)
            return FlowToken(entries: [(flow, flows)])
        }
        let flows = ActionFlows<Action>()
        flows.append(flow)
        // Assigned anew, for the reason given in `BoardTable.add`.
        actionTypes = actionTypes + [ObjectIdentifier(Action.self)]
        actionFlows = actionFlows + [flows]
        return FlowToken(entries: [(flow, flows)])
    }

    /// Sends an action that was written down; nil where nobody up the chain handles that type, false where it cannot be read.
    func sendAction(_ typeName: String, _ action: any ReadablePayload, from sender: AnyLiveBoard?) -> Bool? {
        var level: Motherboard? = self
        while let motherboard = level {
            if let flows = motherboard.actionFlows.first(where: { $0.typeName == typeName }) {
                return flows.send(reading: action, from: sender, on: self)
            }
            level = motherboard.parent
        }
        return nil
    }
}

/// What ends a completed motherboard when all that was sent before has been delivered: nothing can be handled any more.
private final class LastDelivery: Delivery {
    private let motherboard: Motherboard

    init(of motherboard: Motherboard) {
        self.motherboard = motherboard
    }

    override func deliver() {
        motherboard.dismantle()
    }
}
