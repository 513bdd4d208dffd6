import BackplaneConcurrency

/// The contract-independent base of ``BoardEntry``.
class AnyBoardEntry: FlowOwner {
    enum Standing {
        case open
        /// The motherboard has completed.
        case closed
        /// The motherboard no longer exists or is about to be released.
        case orphaned
    }

    /// The origin of the factory of the board.
    enum Origin {
        /// The nearest ancestor that has one.
        case inherited
        /// This motherboard.
        case own
        /// An ancestor: its stand-in has replaced the factory of this motherboard.
        case covered
        /// This motherboard, with `replacing: true`; stand-ins on ancestors do not count.
        case firm
    }

    let name: String
    /// The level of the motherboard.
    ///
    /// Slots and handles keep entries and levels alive longer than their motherboard.
    final let level: Level
    final let scheduler: TurnScheduler
    final private(set) var standing: Standing
    // These properties stay next to each other, so that they fit into one word.
    /// Whether the motherboard is nested in a board that is not a scope, directly or through
    /// scopes.
    final let isBoardsOwn: Bool
    /// Whether the motherboard is nested in a board.
    final let isNested: Bool
    /// Whether flows on ancestors receive the messages of boards here, as last resolved.
    final var hasOutside = false
    final var origin = Origin.inherited
    /// Whether the factory is the stand-in of a test, as last resolved.
    ///
    /// A registration here or on a nested motherboard replaces the stand-in only with
    /// `replacing: true`.
    final var hasStandIn = false
    /// Whether the board has gates or is a scope, as last resolved.
    final var isGated = false
    /// Whether the board belongs to another motherboard, as last resolved.
    final var isElsewhere = false
    /// Whether an entry of the board on an ancestor may be elsewhere, as last resolved.
    final var hasRouteOutside = false
    /// Whether the board is a scope of this motherboard.
    final var isScope = false
    final var reuse = BoardReuse.shared
    final var resolvedVersion: UInt32 = 0

    init(name: String, level: Level) {
        self.name = name
        self.level = level
        scheduler = level.scheduler
        isBoardsOwn = level.isBoardsOwn
        isNested = level.parentEntry != nil
        standing = level.isCompleted ? .closed : .open
    }

    /// The motherboard; `nil` once its last reference is released.
    ///
    /// Another thread may have released it, and the owner then learns it here first: the entry is
    /// `orphaned` from now on. So nothing is made or entered on a motherboard that is gone, with
    /// registrations and gates that cannot be found any longer.
    final var motherboardIfThere: Motherboard? {
        if standing == .orphaned { return nil }
        if let motherboard = level.motherboard { return motherboard }
        markOrphaned()
        return nil
    }

    /// The motherboard, or a completed one once its last reference is released.
    final var motherboard: Motherboard { motherboardIfThere ?? Motherboard(endedIn: scheduler) }

    final var anyID: AnyBoardID { AnyBoardID(name: name) }
    var contract: any BoardContract.Type { preconditionFailure("A board entry was made without a contract.") }
    /// The live boards, in the order they were made.
    var liveBoards: [AnyLiveBoard] { [] }
    /// Whether a factory for the board is registered on this motherboard or an ancestor.
    var isRegistered: Bool { false }
    /// Whether restoring a snapshot may activate the board again.
    var isRepeatable: Bool { true }
    /// Whether an activation can reach a board, which is registered or belongs to another
    /// motherboard.
    final var isKnown: Bool { isRegistered || isElsewhere }
    /// The route to the board, if the board belongs to another motherboard.
    var route: BoardRoute? { nil }
    /// The route into the scope that this motherboard declares the board inside.
    var ownRoute: InwardRoute? { nil }
    /// The rule for entering this scope.
    var entrance: AnyGate? { nil }
    /// Registers this scope on the motherboard nested in the scope that contains it.
    func declareScope(on motherboard: Motherboard) {}
    /// The live board of this scope, on this motherboard or another one.
    var liveScope: AnyLiveBoard? { nil }
    /// Starts to enter this scope for the activations that wait in `run`.
    func beginEntering(for run: UInt64) {}
    /// The entry on the motherboard that the board belongs to.
    ///
    /// The search ends at the first scope in between that is not live.
    final var home: AnyBoardEntry {
        var entry = self
        while let route = entry.route, let motherboard = route.openDestination,
            let next = entry.counterpart(on: motherboard)
        {
            entry = next
        }
        return entry
    }
    /// The gates in front of the board, in the order they are asked.
    var gatesInForce: [AnyGate] { [] }
    /// The gates registered on this motherboard for exactly this ID.
    var ownGates: [AnyGate] { [] }
    var outputFlows: [AnyFlow] { [] }
    /// The number of live boards that commands reach.
    var reachableCount: Int { 0 }

    /// The result of an activation with a serialized input.
    struct Reactivation {
        let state: ActivationState
        let liveBoard: AnyLiveBoard?
        /// The activation while it waits at its gates.
        let waiter: AnyGateWaiter?
        /// The listener of a board that was made for one caller.
        ///
        /// Keep it as long as that caller listens.
        let listener: AnyObject?
    }

    /// Activates the board with a serialized input; returns `nil` if the input cannot be decoded.
    func activate(reading input: any ReadablePayload, isPrivate: Bool = false) -> Reactivation? { nil }

    /// Sends a serialized command to the live boards; returns `false` if it cannot be decoded.
    func receive(reading command: any ReadablePayload) -> Bool { false }

    /// Registers a board that does nothing.
    func registerStandIn(reuse: BoardReuse) {}

    /// Returns the entry of the same ID on another motherboard, or `nil` if the name belongs to
    /// another contract there.
    func counterpart(on motherboard: Motherboard) -> AnyBoardEntry? { self }

    func remove(_ flow: AnyFlow) {}
    /// Releases boards and flows without running a handler.
    ///
    /// All entries must be closed or orphaned before.
    func dismantle() {}

    final func close() {
        if standing == .open { standing = .closed }
    }

    final func markOrphaned() {
        standing = .orphaned
        for liveBoard in liveBoards { liveBoard.markOrphaned() }
    }

    /// Returns this entry with its contract type, or `nil` if the name belongs to another contract.
    @inline(__always)
    final func typed<Contract>(as id: BoardID<Contract>) -> BoardEntry<Contract>? {
        has(Contract.self) ? known(as: id) : nil
    }

    @inline(__always)
    final func has<Contract: BoardContract>(_ contract: Contract.Type) -> Bool {
        ObjectIdentifier(self.contract) == ObjectIdentifier(contract)
    }

    final func hasSameContract(as other: AnyBoardEntry) -> Bool {
        ObjectIdentifier(contract) == ObjectIdentifier(other.contract)
    }

    /// Returns this entry with its contract type, which the caller has checked.
    @inline(__always)
    final func known<Contract>(as id: BoardID<Contract>) -> BoardEntry<Contract> {
        uncheckedDowncast(self, to: BoardEntry<Contract>.self)
    }

    /// Raises an event if there are observers.
    ///
    /// - Parameters:
    ///   - kind: the kind of the event.
    ///   - liveBoard: the board that the event is about, if any.
    ///   - isDerived: whether a flow, a gate or the end of an ancestor caused the event; `nil`
    ///     takes the scheduler's current state.
    ///   - isPrivate: whether the result is awaited, for an activation without a board yet.
    ///   - gate: the gate that the event is about, if any.
    ///   - isProblem: whether the event is printed if nothing observes it. Pass a literal.
    ///   - payload: the value that was sent, for observers that record it.
    ///   - message: a sentence for a human reader.
    @inline(__always)
    final func raise(
        _ kind: BoardEvent.Kind,
        of liveBoard: AnyLiveBoard? = nil,
        isDerived: Bool? = nil,
        isPrivate: Bool = false,
        gate: AnyBoardID? = nil,
        isProblem: Bool = false,
        payload: @autoclosure () -> Any = (),
        _ message: () -> String
    ) {
        if scheduler.observerCount > 0 || (isProblem && scheduler.printsProblems) {
            raiseObserved(kind, liveBoard, isDerived, isPrivate, gate, isProblem, payload(), message())
        }
    }

    private final func raiseObserved(
        _ kind: BoardEvent.Kind,
        _ liveBoard: AnyLiveBoard?,
        _ isDerived: Bool?,
        _ isPrivate: Bool,
        _ gate: AnyBoardID?,
        _ isProblem: Bool,
        _ payload: Any,
        _ message: String
    ) {
        guard standing != .orphaned else { return }
        motherboard.raise(
            kind,
            of: liveBoard,
            board: anyID,
            isDerived: isDerived,
            isPrivate: isPrivate,
            gate: gate,
            isProblem: isProblem,
            payload: payload,
            { message }
        )
    }
}
