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
    let turns: Turns
    /// The record of the board that this motherboard is inside of; nil at the root.
    let host: AnyRecord?
    /// The number of that board.
    let hostNumber: UInt64
    private(set) var isCompleted = false

    private let records = RecordTable()
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
    var scopes: [AnyRecord] = []
    // By base class: see `downcast`. Only `contribute` puts anything in.
    var contributionLists: [Contributions] = []
    /// The lifetimes that this motherboard is paired with.
    var ties: Ties?

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
        turns = Turns(owner: isolation, budget: turnBudget, clock: clock)
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
        turns = Turns(owner: owner, budget: turnBudget, clock: clock)
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

    init(inside core: AnySlotCore) {
        let host = core.untypedRecord
        turns = host.turns
        self.host = host
        hostNumber = core.number
    }

    /// What a slot whose board has ended has for a nested motherboard.
    init(endedIn turns: Turns) {
        self.turns = turns
        host = nil
        hostNumber = 0
        isCompleted = true
    }

    deinit {
        // First everything is made inert, then let go: a board's `deinit` may call back into what is still standing.
        // What stands for the inside of an ended board is completed, and nothing of the tree is its own.
        let ownsTree = host == nil && !isCompleted
        markOrphaned()
        if ownsTree { turns.denyAll() }
        dismantle()
    }

    /// The motherboard around this one, as long as there is one.
    var parent: Motherboard? {
        guard let host, host.standing != .orphaned else { return nil }
        return host.motherboard
    }

    /// Whether flows here belong to a board: this motherboard is inside a board that is not a scope.
    ///
    /// An ``EventLog`` records the effects of such flows as actions of the board, because a stand-in has no such flows.
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

    /// Every record, in the order in which its identity was first spoken of.
    var allRecords: [AnyRecord] { records.all }

    /// The record of an ID that is known here or around; nil, and nothing is left behind, where it is not.
    func knownRecord<Contract>(for id: BoardID<Contract>) -> Record<Contract>? {
        if let record = existingRecord(for: id) { return record }
        guard let outer = parent?.nearestRecord(for: id), outer.isKnown else { return nil }
        return record(for: id)
    }

    /// The record of an identity on this motherboard, made if need be.
    func record<Contract>(for id: BoardID<Contract>, at site: CallSite = CallSite()) -> Record<Contract> {
        checkOwner()
        return records.find(id.name) { Record(id: id, motherboard: self) }.typed(as: id, at: site)
    }

    func existingRecord(named name: String) -> AnyRecord? { records.find(name) }

    func existingRecord<Contract>(for id: BoardID<Contract>) -> Record<Contract>? {
        guard let record = records.find(id.name) else { return nil }
        return record.typed(as: id)
    }

    /// The nearest record up the chain, starting here.
    func nearestRecord<Contract>(for id: BoardID<Contract>) -> Record<Contract>? {
        var level: Motherboard? = self
        while let motherboard = level {
            if let record = motherboard.existingRecord(for: id) { return record }
            level = motherboard.parent
        }
        return nil
    }

    func reportMissing(_ id: AnyBoardID, for purpose: Purpose?) {
        raise(.noSuchBoard, board: id) {
            "No board is registered as '\(id)'. Register it, or install its module, on this motherboard or one around it; "
                + "if it is inside a scope, say so with register(_:inside:)."
        }
        var level: Motherboard? = self
        while let motherboard = level {
            if let fallback = motherboard.fallback {
                let purposeBefore = turns.purpose
                turns.purpose = purpose
                defer { turns.purpose = purposeBefore }
                return motherboard.isBoardsOwn ? fallback(id, self) : turns.derive { fallback(id, self) }
            }
            level = motherboard.parent
        }
    }

    // MARK: Activation and commands

    /// Activates a board, making it if need be, and returns when everything that caused synchronously has been delivered.
    ///
    /// A board with gates in front waits for them. Never throws: the activation's ``Activation/state`` has the outcome, and
    /// ``Activation/settled(isolation:)`` suspends until it does not wait any more.
    @discardableResult
    public func activate<Contract>(_ id: BoardID<Contract>, with input: Contract.Input) -> Activation<Contract> {
        activate(id, with: input, from: nil)
    }

    /// Activates a board that needs no input.
    @discardableResult
    public func activate<Contract>(_ id: BoardID<Contract>) -> Activation<Contract> where Contract.Input == Void {
        activate(id, with: (), from: nil)
    }

    func activate<Contract>(
        _ id: BoardID<Contract>,
        with input: Contract.Input,
        for listener: Listener<Contract>? = nil,
        from sender: AnySlotCore?
    ) -> Activation<Contract> {
        guard !isCompleted else {
            listener?.finish(throwing: BoardError.ownerGone(AnyBoardID(id)))
            return Activation(id, .ownerGone)
        }
        // A caller that waits for the result waits next; the reader of a sequence does so later.
        if let listener, listener.isPrivate {
            return turns.turnStartingWork { enter(id, with: input, for: listener, from: sender) }
        }
        let isOutermost = turns.open()
        defer { if isOutermost { turns.close() } }
        return enter(id, with: input, for: listener, from: sender)
    }

    @inline(__always)
    private func enter<Contract>(
        _ id: BoardID<Contract>,
        with input: Contract.Input,
        for listener: Listener<Contract>?,
        from sender: AnySlotCore?
    ) -> Activation<Contract> {
        guard let record = existingRecord(for: id) ?? knownRecord(for: id) else {
            listener?.finish(throwing: BoardError.noSuchBoard(AnyBoardID(id)))
            reportMissing(AnyBoardID(id), for: turns.hasRuns ? purpose(sender) : nil)
            return Activation(id, .noSuchBoard)
        }
        return record.activate(with: input, for: listener, from: sender)
    }

    /// Sends a command to the live boards of an ID on this motherboard, which obey before this returns.
    ///
    /// Never makes a board, and does not reach into nested motherboards.
    @discardableResult
    public func send<Contract>(_ command: Contract.Command, to id: BoardID<Contract>) -> CommandResult {
        guard !isCompleted else { return .ownerGone }
        let isOutermost = turns.open()
        defer { if isOutermost { turns.close() } }
        guard let record = existingRecord(for: id) ?? knownRecord(for: id) else {
            raise(.undeliveredCommand, board: AnyBoardID(id), payload: command) { "No such board is registered." }
            return .noSuchBoard
        }
        return record.receive(command)
    }

    /// Returns whether a board of an ID is live on this motherboard, one that commands reach.
    ///
    /// A board that only ``result(of:with:taking:isolation:)`` knows does not count.
    public func isLive<Contract>(_ id: BoardID<Contract>) -> Bool { liveCount(of: id) > 0 }

    /// Returns the number of live boards of an ID on this motherboard, those that commands reach.
    public func liveCount<Contract>(of id: BoardID<Contract>) -> Int {
        checkOwner()
        return (existingRecord(for: id) ?? knownRecord(for: id))?.home.reachableCount ?? 0
    }

    // MARK: The end

    /// Completes the live boards of an ID, the first made first; what waits at a gate for one gives up.
    public func complete<Contract>(_ id: BoardID<Contract>, _ completion: Completion = .done) {
        checkOwner()
        guard !isCompleted, let record = existingRecord(for: id) ?? knownRecord(for: id) else { return }
        turns.turn {
            let home = record.home
            let (waiting, cores) = (home === record ? waiting : waiting + home.motherboard.waiting, home.liveCores)
            for entrant in waiting where entrant.record === record || entrant.record === home { entrant.leave() }
            for core in cores { core.end(completion) }
        }
    }

    /// Ends every board on this motherboard as ``Completion/cancelled``, the first activated first.
    ///
    /// Activations that wait at a gate give up. Registrations, flows, gates and links stay: the motherboard is as it was
    /// before anything was activated.
    /// Completion flows run before this returns. Nothing that they activate is ended.
    ///
    /// ```swift
    /// motherboard.registerGeneralFlow { (_: SignOut, motherboard) in
    ///     motherboard.completeAll()
    ///     motherboard.activate(.welcome)
    /// }
    /// ```
    public func completeAll() {
        guard !isCompleted else { return }
        turns.turn {
            let (waiting, cores) = (waiting, liveCores)
            for entrant in waiting { entrant.leave() }
            for core in cores { core.end(.cancelled) }
        }
    }

    /// Ends the motherboard: every board on it and inside it is cancelled, the first activated first, and completion flows run.
    ///
    /// Afterwards nothing can be activated, and every handler and factory is let go; an action still goes to what is around
    /// it. A second call does nothing.
    public func complete() {
        guard !isCompleted else { return }
        turns.turn { end() }
    }

    func end() {
        guard !isCompleted else { return }
        let (waiting, cores) = (waiting, liveCores)
        isCompleted = true
        for record in records.all { record.close() }
        for entrant in waiting { entrant.denyAtEnd() }
        for core in cores { core.end(.cancelled) }
        withdrawContributions()
        turns.enqueue(LastDelivery(of: self))
    }

    /// Every live board, the first activated first.
    private var liveCores: [AnySlotCore] {
        records.all.flatMap(\.liveCores).sorted { $0.generation < $1.generation }
    }

    func markOrphaned() {
        isCompleted = true
        for record in records.all { record.markOrphaned() }
    }

    func dismantle() {
        turns.observerCount -= observers.count
        let ties = ties
        self.ties = nil
        ties?.cut()
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
        for record in records.all { record.dismantle() }
        letGo(of: handlers)
    }

    /// Traps, in debug builds, where the motherboard is used off its actor.
    @inline(__always)
    func checkOwner() {
        #if DEBUG
            // The owner of a completed motherboard may be gone.
            if !isCompleted { turns.checkOwner() }
        #endif
    }

    // MARK: Actions

    func actionFlows<Action: BoardAction>(of type: Action.Type) -> ActionFlows<Action>? {
        guard let position = actionTypes.firstIndex(of: ObjectIdentifier(type)) else { return nil }
        return downcast(actionFlows[position], to: ActionFlows<Action>.self)
    }

    func add<Action: BoardAction>(_ flow: ActionFlow<Action>) -> FlowToken {
        checkOwner()
        if let flows = actionFlows(of: Action.self) {
            flows.append(flow)
            return FlowToken(entries: [(flow, flows)])
        }
        let flows = ActionFlows<Action>()
        flows.append(flow)
        // Assigned anew, for the reason given in `RecordTable.add`.
        actionTypes = actionTypes + [ObjectIdentifier(Action.self)]
        actionFlows = actionFlows + [flows]
        return FlowToken(entries: [(flow, flows)])
    }

    /// Sends an action that was written down; nil where nobody up the chain handles that type, false where it cannot be read.
    func sendAction(_ typeName: String, _ action: any ReadablePayload, from sender: AnySlotCore?) -> Bool? {
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
