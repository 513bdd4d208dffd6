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
/// Flow handlers are *given* the motherboard: capture neither it in one nor strongly whoever holds it.
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
    private let host: AnyRecord?
    /// The number of that board.
    private let hostNumber: UInt64
    private(set) var isCompleted = false

    private let records = RecordTable()
    // By base class: see `downcast`. Only `add` puts anything in. An array, because a motherboard handles few types of action,
    // and comparing a few is quicker than hashing one.
    private var actionFlows: [AnyActionFlows] = []
    private var actionTypes: [ObjectIdentifier] = []
    private var generalGate: GeneralGate?
    var fallback: ((AnyBoardID, Motherboard) -> Void)?
    private var observers: [Int: (BoardEvent, AnySlotCore?, Any) -> Void] = [:]
    private var lastObserver = 0
    var modules: Set<ModuleKey> = []
    var isInstalling = false
    var links = LinkRouter<LinkTarget>()

    /// A motherboard that belongs to the actor it is made on.
    ///
    /// Where there is no such actor, as in the initial value of a stored property, this does not compile: there use
    /// ``onMain(turnBudget:clock:)``, or on an actor of your own `lazy var` and ``init(owner:turnBudget:clock:)``. In an actor's
    /// asynchronous initialiser, where the compiler lets it pass, it traps.
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
        markOrphaned()
        dismantle()
    }

    /// The motherboard around this one, as long as there is one.
    var parent: Motherboard? {
        guard let host, host.standing != .orphaned else { return nil }
        return host.motherboard
    }

    /// Whether this motherboard is inside a board.
    var isNested: Bool { host != nil }

    /// The boards that this motherboard is inside of, the outermost first.
    var enclosing: [BoardInstance] {
        guard let host, let parent else { return [] }
        return parent.enclosing + [BoardInstance(id: host.anyID, number: hostNumber)]
    }

    // MARK: Records

    /// Every record, in the order in which its identity was first spoken of.
    var allRecords: [AnyRecord] { records.all }

    /// The record of an identity on this motherboard, made if need be.
    func record<Contract>(for id: BoardID<Contract>, at site: CallSite = CallSite()) -> Record<Contract> {
        records.find(id.name) { Record(id: id, motherboard: self) }.typed(as: id, at: site)
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

    // MARK: Registration

    func guardAll(_ gate: GeneralGate) {
        generalGate = gate
        turns.registryChanged()
    }

    /// The general gate in front of a board: the nearest up the chain that it is not exempt from.
    func generalGate(before id: AnyBoardID) -> Gate? {
        var level: Motherboard? = self
        while let motherboard = level {
            if let general = motherboard.generalGate, !general.exempt.contains(id) { return general.gate }
            level = motherboard.parent
        }
        return nil
    }

    func reportMissing(_ id: AnyBoardID) {
        raise(.noSuchBoard, board: id) {
            "No board is registered as '\(id)'. Register it, or install its module, on this motherboard or one around it."
        }
        var level: Motherboard? = self
        while let motherboard = level {
            if let fallback = motherboard.fallback {
                return motherboard.isNested ? fallback(id, self) : turns.derive { fallback(id, self) }
            }
            level = motherboard.parent
        }
    }

    // MARK: Activation and commands

    /// Activates a board, making it if need be, and returns when everything that caused synchronously has been delivered.
    ///
    /// A board with a gate in front waits for it. Never throws: the activation's ``Activation/state`` says what became of it.
    @discardableResult
    public func activate<Contract>(_ id: BoardID<Contract>, with input: Contract.Input) -> Activation<Contract> {
        guard !isCompleted else { return Activation(id, .ownerGone) }
        let isOutermost = turns.open()
        defer { if isOutermost { turns.close() } }
        return (existingRecord(for: id) ?? record(for: id)).activate(with: input)
    }

    /// Activates a board that needs no input.
    @discardableResult
    public func activate<Contract>(_ id: BoardID<Contract>) -> Activation<Contract> where Contract.Input == Void {
        activate(id, with: ())
    }

    /// Sends a command to the live boards of an identity on this motherboard, which obey before this returns.
    ///
    /// Never makes a board, and does not reach into nested motherboards.
    @discardableResult
    public func send<Contract>(_ command: Contract.Command, to id: BoardID<Contract>) -> CommandResult {
        guard !isCompleted else { return .ownerGone }
        let record = existingRecord(for: id) ?? record(for: id)
        return turns.turn { record.receive(command) }
    }

    // MARK: The end

    /// Completes the live boards of an identity, the first made first.
    public func complete<Contract>(_ id: BoardID<Contract>, _ completion: Completion = .done) {
        guard !isCompleted, let cores = existingRecord(for: id)?.liveCores else { return }
        turns.turn { for core in cores { core.end(completion) } }
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
        isCompleted = true
        for record in records.all { record.close() }
        let cores = records.all.flatMap(\.liveCores).sorted { $0.generation < $1.generation }
        for core in cores { core.end(.cancelled) }
        turns.enqueue(LastDelivery(of: self))
    }

    func markOrphaned() {
        isCompleted = true
        for record in records.all { record.markOrphaned() }
    }

    func dismantle() {
        actionTypes = []
        actionFlows = []
        generalGate = nil
        fallback = nil
        links = LinkRouter()
        for record in records.all { record.dismantle() }
        turns.observerCount -= observers.count
        observers = [:]
    }

    // MARK: Actions

    func actionFlows<Action: BoardAction>(of type: Action.Type) -> ActionFlows<Action>? {
        guard let position = actionTypes.firstIndex(of: ObjectIdentifier(type)) else { return nil }
        return downcast(actionFlows[position], to: ActionFlows<Action>.self)
    }

    func add<Action: BoardAction>(_ flow: ActionFlow<Action>) -> FlowToken {
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
    func sendAction(_ typeName: String, _ action: WrittenPayload, from sender: AnySlotCore?) -> Bool? {
        var level: Motherboard? = self
        while let motherboard = level {
            if let flows = motherboard.actionFlows.first(where: { $0.typeName == typeName }) {
                return flows.send(reading: action, from: sender, on: self)
            }
            level = motherboard.parent
        }
        return nil
    }

    // MARK: Events

    /// Lets `observer` see everything that happens on this motherboard and inside it, as it happens.
    ///
    /// Called synchronously, in the middle of things: look, do not interfere.
    ///
    /// - Returns: a token for ``stopObserving(_:)``.
    @discardableResult
    public func observe(_ observer: @escaping (BoardEvent) -> Void) -> ObserverToken {
        observeCores { event, _, _ in observer(event) }
    }

    /// As ``observe(_:)``, with what was sent: inputs, outputs, commands, actions, completions; `()` where there is none.
    @discardableResult
    package func observePayloads(_ observer: @escaping (BoardEvent, Any) -> Void) -> ObserverToken {
        observeCores { event, _, payload in observer(event, payload) }
    }

    func observeCores(_ observer: @escaping (BoardEvent, AnySlotCore?, Any) -> Void) -> ObserverToken {
        lastObserver += 1
        let token = ObserverToken(key: lastObserver)
        observers[token.key] = observer
        turns.observerCount += 1
        return token
    }

    /// Ends an observation.
    ///
    /// Does nothing when it has ended already.
    public func stopObserving(_ token: ObserverToken) {
        if observers.removeValue(forKey: token.key) != nil { turns.observerCount -= 1 }
    }

    private func raise(_ event: BoardEvent, _ core: AnySlotCore?, _ payload: Any) {
        var level: Motherboard? = self
        while let motherboard = level {
            for (_, observer) in motherboard.observers.sorted(by: { $0.key < $1.key }) {
                observer(event, core, payload)
            }
            level = motherboard.parent
        }
    }

    /// Tells the observers, if there are any, of what is not about a record: what no board sent or nobody knows.
    func raise(
        _ kind: BoardEvent.Kind,
        of core: AnySlotCore? = nil,
        board: AnyBoardID? = nil,
        isDerived: Bool? = nil,
        isPrivate: Bool = false,
        payload: @autoclosure () -> Any = (),
        _ message: () -> String
    ) {
        guard turns.observerCount > 0 else { return }
        let event = BoardEvent(
            kind,
            board: core?.sender ?? board,
            instance: core?.instance,
            enclosing: enclosing,
            isDerived: isDerived ?? turns.isDeriving,
            isPrivate: core?.isPrivate ?? isPrivate,
            message: message()
        )
        raise(event, core, payload())
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

/// What ``Motherboard/observe(_:)`` returns, to end the observation.
public struct ObserverToken {
    let key: Int
}
