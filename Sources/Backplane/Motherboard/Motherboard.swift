import BackplaneConcurrency

/// A registry of boards, which activates them by ID and connects them with each other.
///
/// **Isolation.** A motherboard belongs to the actor that creates it, and is not `Sendable`. In an
/// app this is the main actor; on a server it is one actor per window. Every call is synchronous on
/// that actor, and no call hops to another actor. Any use outside that actor traps. Only code that
/// bypasses the compiler's checks can do this.
///
/// **Order.** ``activate(_:with:)`` and ``send(_:to:)`` are direct calls. Outputs, actions and
/// completions are delivered in the order they were sent, one at a time, in the whole tree of
/// nested motherboards. The outermost call delivers everything that it caused before it returns. So
/// cycles of boards do not grow the stack.
///
/// **Lifetime.** Boards live until they complete or the motherboard ends. ``complete()`` ends the
/// motherboard in good order, and completion flows run. If the last reference is released without
/// that call, boards are released, their tasks are cancelled, and no handler runs. You may release
/// the last reference on any thread: boards are released on the actor, after one hop if the release
/// happens elsewhere. Flow handlers *receive* the motherboard. Do not capture the motherboard in a
/// handler, and do not strongly capture an object that holds it.
///
/// ```swift
/// let motherboard = Motherboard()
/// motherboard.register { slot in LoginBoard(slot: slot) }
/// motherboard.register { slot in DashboardBoard(slot: slot) }
/// motherboard.registerFlowSteps(Login.id ->>> Dashboard.id)
/// motherboard.activate(Login.id)
/// ```
public final class Motherboard {
    let scheduler: TurnScheduler
    let level: Level
    // Of the level, and stored here too, because each look-up reads it.
    private let entries: BoardTable
    var denialFlows: [DenialFlow] = []
    var fallback: ((AnyBoardID, Motherboard) -> Void)?
    var observers: [Observer] = []
    var modules: Set<ModuleKey> = []
    var isInstalling = false
    var links = LinkRouter<LinkTarget>()
    // Stored by base class: see `uncheckedDowncast`. Only `contribute` adds elements.
    var contributionLists: [Contributions] = []
    /// The runs of the boards that contain this motherboard, as of `purposeVersion`.
    var keptPurpose: Purpose?
    var purposeVersion: UInt64 = 0
    /// The lifetimes that this motherboard is paired with.
    var bindings: LifetimeBindings?

    /// Creates a motherboard that belongs to the current actor.
    ///
    /// The call does not compile if there is no current actor, as in the initial value of a stored
    /// property. There, use ``onMain(turnBudget:clock:printsProblems:)``. On your own actor, use a
    /// `lazy var` and ``init(owner:turnBudget:clock:printsProblems:)``. In the asynchronous
    /// initializer of an actor, the call compiles but traps.
    ///
    /// **Lifetime.** A task of a board keeps its actor alive until the task ends. So do not release
    /// a motherboard on your own actor without ``complete()`` while tasks run. Otherwise those
    /// tasks keep the actor alive until they end, and everything that the actor holds. Complete the
    /// motherboard, or ``pair(with:)`` it with the object that uses the actor.
    ///
    /// - Parameters:
    ///   - turnBudget: the number of deliveries that one turn may make, and the number of turns in
    ///     a row that the work of boards may cause. Beyond it,
    ///     ``BoardEvent/Kind/turnBudgetExceeded`` is raised.
    ///   - clock: the clock that decides when an ended board counts as ``BoardEvent/Kind/leaked``.
    ///   - printsProblems: whether problems are printed while nothing observes the motherboard: see
    ///     ``observe(_:)``.
    ///   - isolation: the actor; keep the default.
    ///   - fileID: the caller's file, for the trap message.
    ///   - line: the caller's line, for the trap message.
    public convenience init(
        turnBudget: Int = 100_000,
        clock: any Clock<Duration> = ContinuousClock(),
        printsProblems: Bool = true,
        isolation: isolated any Actor = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        CallSite(fileID, line).require(
            isPresent(isolation),
            "A motherboard was made in an actor's initializer; use a `lazy var` with Motherboard(owner: self) instead."
        )
        self.init(owner: isolation, turnBudget: turnBudget, clock: clock, printsProblems: printsProblems)
    }

    /// Creates a motherboard that belongs to `owner`, where the compiler cannot know the actor.
    ///
    /// Use the motherboard only on `owner`. Any other use traps.
    ///
    /// ```swift
    /// actor Window {
    ///     private lazy var motherboard = Motherboard(owner: self)
    /// }
    /// ```
    ///
    /// **Lifetime.** A task of a board keeps its actor alive until the task ends. So do not release
    /// a motherboard on your own actor without ``complete()`` while tasks run. Otherwise those
    /// tasks keep the actor alive until they end, and everything that the actor holds. Complete the
    /// motherboard, or ``pair(with:)`` it with the object that uses the actor.
    ///
    /// - Parameters:
    ///   - owner: the actor that will use the motherboard. The motherboard does not keep it alive.
    ///   - turnBudget: the number of deliveries that one turn may make, and the number of turns in
    ///     a row that the work of boards may cause. Beyond it,
    ///     ``BoardEvent/Kind/turnBudgetExceeded`` is raised.
    ///   - clock: the clock that decides when an ended board counts as ``BoardEvent/Kind/leaked``.
    ///   - printsProblems: whether problems are printed while nothing observes the motherboard: see
    ///     ``observe(_:)``.
    public convenience init(
        owner: any Actor,
        turnBudget: Int = 100_000,
        clock: any Clock<Duration> = ContinuousClock(),
        printsProblems: Bool = true
    ) {
        self.init(
            TurnScheduler(owner: owner, budget: turnBudget, clock: clock, printsProblems: printsProblems)
        )
    }

    /// Returns a new motherboard that belongs to the main actor, for the initial values of stored
    /// properties.
    ///
    /// - Parameters:
    ///   - turnBudget: the number of deliveries that one turn may make, and the number of turns in
    ///     a row that the work of boards may cause. Beyond it,
    ///     ``BoardEvent/Kind/turnBudgetExceeded`` is raised.
    ///   - clock: the clock that decides when an ended board counts as ``BoardEvent/Kind/leaked``.
    ///   - printsProblems: whether problems are printed while nothing observes the motherboard: see
    ///     ``observe(_:)``.
    /// - Returns: the motherboard.
    @MainActor public static func onMain(
        turnBudget: Int = 100_000,
        clock: any Clock<Duration> = ContinuousClock(),
        printsProblems: Bool = true
    ) -> Motherboard {
        Motherboard(
            turnBudget: turnBudget,
            clock: clock,
            printsProblems: printsProblems,
            isolation: MainActor.shared
        )
    }

    private init(_ scheduler: TurnScheduler, inside liveBoard: AnyLiveBoard? = nil) {
        self.scheduler = scheduler
        level = Level(scheduler, inside: liveBoard)
        entries = level.entries
        level.motherboard = self
    }

    convenience init(inside liveBoard: AnyLiveBoard) { self.init(liveBoard.scheduler, inside: liveBoard) }

    /// Creates the completed motherboard that the slot of an ended board has as its nested
    /// motherboard.
    convenience init(endedIn scheduler: TurnScheduler) {
        self.init(scheduler)
        level.isCompleted = true
    }

    deinit {
        // Any thread may release the last reference, while boards work on the owner. So the
        // motherboard only takes out what it holds, and the owner takes it apart, with the level.
        // A motherboard that stands for the inside of an ended board is completed and does not own
        // the tree.
        let ownsTree = parentEntry == nil && !isCompleted
        let holdings = takeHoldings()
        scheduler.handover.perform { holdings.orphan(denyingAll: ownsTree) }
    }

    var isCompleted: Bool { level.isCompleted }

    /// The entry of the board that this motherboard is nested in; `nil` at the root.
    var parentEntry: AnyBoardEntry? { level.parentEntry }

    /// The parent motherboard, as long as it exists.
    var parent: Motherboard? { parentEntry?.motherboardIfThere }

    /// The boards that this motherboard is nested in, outermost first.
    var enclosing: [BoardInstance] {
        guard let parentEntry, let parent else { return [] }
        return parent.enclosing + [BoardInstance(id: parentEntry.anyID, number: level.parentNumber)]
    }

    /// The part of a message that names the motherboard on which to register a flow.
    var location: String { parentEntry.map { " on the inner motherboard of '\($0.anyID)'" } ?? "" }

    // MARK: Entries

    /// All entries, in the order their IDs were first used.
    var allEntries: [AnyBoardEntry] { entries.all }

    // Only setup calls may trap. The names of all other calls may come from outside, such as from a
    // server, so a name that belongs to another contract counts as unknown.

    /// Returns the entry of an ID, and adds one if an ancestor knows the ID.
    ///
    /// Returns `nil`, and adds no entry, if the ID is unknown.
    func knownEntry<Contract>(for id: BoardID<Contract>) -> BoardEntry<Contract>? {
        if let entry = existingEntry(named: id.name) { return entry.typed(as: id) }
        guard let outer = level.outer, outer.isThere, let nearest = outer.nearestEntry(named: id.name),
            nearest.typed(as: id) != nil, nearest.isKnown
        else { return nil }
        return matchingEntry(for: id)
    }

    /// Returns the entry of an ID on this motherboard, and adds one if there is none.
    ///
    /// Traps if the name belongs to another contract, here or on an ancestor.
    func entry<Contract>(for id: BoardID<Contract>, at site: CallSite = CallSite()) -> BoardEntry<Contract> {
        checkOwner()
        if let entry = existingEntry(for: id) { return entry }
        if let other = foreignContract(of: AnyBoardID(id), as: Contract.self) {
            site.fail(
                "Two contracts share the board name '\(id)': \(String(reflecting: other)) and "
                    + "\(String(reflecting: Contract.self)). Rename one of the two, or give one contract an `id` of its own."
            )
        }
        return entries.find(id.name) { BoardEntry(id: id, level: level) }.known(as: id)
    }

    /// Returns the entry of an ID on this motherboard, and adds one if there is none.
    ///
    /// Returns `nil` if the name belongs to another contract here.
    func matchingEntry<Contract>(for id: BoardID<Contract>) -> BoardEntry<Contract>? {
        checkOwner()
        return entries.find(id.name) { BoardEntry(id: id, level: level) }.typed(as: id)
    }

    func existingEntry(named name: String) -> AnyBoardEntry? { entries.find(name) }

    func existingEntry<Contract>(for id: BoardID<Contract>) -> BoardEntry<Contract>? {
        let entry = if let name = id.source.given { entries.find(name) } else { entries.find(defaultOf: Contract.self) }
        return entry?.typed(as: id)
    }

    /// Returns the contract that the name of a board belongs to here, if it is not `contract`.
    private func foreignContract(
        of id: AnyBoardID,
        as contract: any BoardContract.Type
    ) -> (any BoardContract.Type)? {
        guard let found = level.nearestEntry(named: id.name)?.contract,
            ObjectIdentifier(found) != ObjectIdentifier(contract)
        else { return nil }
        return found
    }

    /// Returns the part of an event's message that says why an ID reaches no board.
    func reason(forMissing id: AnyBoardID, as contract: (any BoardContract.Type)?) -> String {
        if let contract, let other = foreignContract(of: id, as: contract) {
            return "The board name '\(id)' belongs to the contract \(other), and was used for \(contract). Check where "
                + "the name comes from."
        }
        return "No board is registered as '\(id)'. Register it, or install its module, on this motherboard or an "
            + "ancestor; if it is inside a scope, declare it with declare(_:inside:)."
    }

    /// Raises an event if the name of an ID belongs to another contract.
    func reportForeign<Contract>(_ id: BoardID<Contract>) {
        guard foreignContract(of: AnyBoardID(id), as: Contract.self) != nil else { return }
        raise(.noSuchBoard, board: AnyBoardID(id), isProblem: true) {
            reason(forMissing: AnyBoardID(id), as: Contract.self)
        }
    }

    func reportMissing(_ id: AnyBoardID, as contract: (any BoardContract.Type)? = nil, for purpose: Purpose?) {
        raise(.noSuchBoard, board: id, isProblem: true) { reason(forMissing: id, as: contract) }
        callFallback(for: id, purpose)
    }

    private func callFallback(for id: AnyBoardID, _ purpose: Purpose?) {
        var level: Motherboard? = self
        while let motherboard = level {
            if let fallback = motherboard.fallback {
                let isFlow = scheduler.isHandlingFlow || !motherboard.level.isBoardsOwn
                return scheduler.acting(asFlow: isFlow, for: purpose) { fallback(id, self) }
            }
            level = motherboard.parent
        }
    }

    // MARK: End

    func end() {
        guard !isCompleted else { return }
        let (waiting, liveBoards) = (waiting, liveBoards)
        level.isCompleted = true
        for entry in allEntries { entry.close() }
        for waiter in waiting { waiter.denyAtEnd() }
        for liveBoard in liveBoards { liveBoard.end(.cancelled) }
        withdrawContributions()
        // Everything sent before has been delivered by then, and nothing more can be handled.
        scheduler.enqueue(QueuedCall { self.dismantle() })
    }

    /// All live boards, in the order of their latest activations.
    var liveBoards: [AnyLiveBoard] {
        allEntries.flatMap(\.liveBoards).sorted { $0.generation < $1.generation }
    }

    func dismantle() { takeHoldings().dismantle() }

    /// Takes out everything that must be released on the owner.
    private func takeHoldings() -> MotherboardHoldings {
        let holdings = MotherboardHoldings(
            of: level,
            bindings: bindings,
            contributionLists: contributionLists,
            observerCount: observers.count,
            handlers: (denialFlows, fallback, links, observers)
        )
        bindings = nil
        denialFlows = []
        fallback = nil
        links = LinkRouter()
        observers = []
        contributionLists = []
        return holdings
    }

    /// Traps, in debug builds, if the motherboard is used off its actor.
    @inline(__always)
    func checkOwner() {
        #if DEBUG
            // The owner of a completed motherboard may no longer exist.
            if !isCompleted { scheduler.checkOwner() }
        #endif
    }

    // MARK: Actions

    /// Sends a serialized action up the chain.
    ///
    /// Returns `nil` if no motherboard up the chain handles actions of that type. Returns `false`
    /// if the action cannot be decoded.
    func sendAction(_ typeName: String, _ action: any ReadablePayload, from sender: AnyLiveBoard?) -> Bool? {
        var level: Motherboard? = self
        while let motherboard = level {
            if let flows = motherboard.level.actionFlows(named: typeName) {
                return flows.send(reading: action, from: sender, on: self.level)
            }
            level = motherboard.parent
        }
        return nil
    }
}
