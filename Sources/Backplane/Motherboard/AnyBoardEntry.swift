import BackplaneConcurrency

/// The contract-independent base of ``BoardEntry``.
class AnyBoardEntry: FlowHost {
    enum Standing {
        case open
        /// The motherboard has completed.
        case closed
        /// The motherboard is gone or about to go.
        case orphaned
    }

    let name: String
    // Unowned, for entries outlive their motherboard in slots and handles; ``standing`` is `orphaned` before it goes.
    unowned let motherboard: Motherboard
    let scheduler: TurnScheduler
    final private(set) var standing: Standing
    // Here, beside each other, because they fit into one word.
    /// Whether the motherboard is inside a board.
    final let isBoardsOwn: Bool
    final var ownsRegistration = false
    /// Whether a test has registered a stand-in, which a later registration does not replace unless
    /// it says so.
    final var hasStandIn = false
    /// Whether there is more to an activation than the board, as far as resolved: a gate, a scope.
    final var isGated = false
    /// Whether the board is on another motherboard, as far as resolved.
    final var isElsewhere = false
    /// Whether the board is a scope of this motherboard.
    final var isScope = false
    final var reuse = Reuse.shared
    final var resolvedVersion: UInt32 = 0

    init(name: String, motherboard: Motherboard) {
        self.name = name
        self.motherboard = motherboard
        scheduler = motherboard.scheduler
        isBoardsOwn = motherboard.isBoardsOwn
        standing = motherboard.isCompleted ? .closed : .open
    }

    final var anyID: AnyBoardID { AnyBoardID(name: name) }
    var contract: any BoardContract.Type { preconditionFailure("A entry without a contract was made.") }
    /// The live boards, in the order they were made.
    var liveBoards: [AnyLiveBoard] { [] }
    /// Whether it is known how the board is made, here or from around.
    var isRegistered: Bool { false }
    /// Whether an activation comes to a board: it is registered, or is elsewhere.
    final var isKnown: Bool { isRegistered || isElsewhere }
    /// The way to the board if it is elsewhere.
    var route: BoardRoute? { nil }
    /// The scope that the board was placed in on this motherboard.
    var ownRoute: InwardRoute? { nil }
    /// The rule by which this scope is entered.
    var entrance: Gate? { nil }
    /// Registers this scope on the motherboard inside of the scope that it is in.
    func declareScope(on motherboard: Motherboard) {}
    /// The live board that is a scope, wherever it is.
    var liveScope: AnyLiveBoard? { nil }
    /// Has a scope entered for those who wait for it.
    func beginEntering(for run: GateRun) {}
    /// The entry on the motherboard to which the board belongs, as far as the scopes in between are live.
    final var home: AnyBoardEntry {
        var entry = self
        while let route = entry.route, let motherboard = route.openDestination {
            entry = entry.counterpart(on: motherboard)
        }
        return entry
    }
    /// The gates in front of the board, in the order in which they are asked.
    var gatesInForce: [Gate] { [] }
    /// The run that further activations may join, if the board is a gate without input.
    var sharedRun: GateRun? {
        get { nil }
        set {}
    }
    /// The gates that were set for this very ID on this motherboard.
    var ownGates: [Gate] { [] }
    var outputFlows: [AnyFlow] { [] }
    /// How many boards are live that commands reach.
    var reachableCount: Int { 0 }

    /// The result of activating with an input that was written down.
    struct Reactivation {
        let state: ActivationState
        let liveBoard: AnyLiveBoard?
        /// Of a board made for one caller: keep it as long as that caller is to listen.
        let listener: AnyObject?
    }

    /// Activates the board with an input that was written down; nil where it cannot be read.
    func activate(reading input: any ReadablePayload, isPrivate: Bool = false) -> Reactivation? { nil }

    /// Gives the live boards a command that was written down; false where it cannot be read.
    func receive(reading command: any ReadablePayload) -> Bool { false }

    /// Registers a board that does nothing.
    func registerStandIn(reuse: Reuse) {}

    /// The entry of the same identity on another motherboard.
    func counterpart(on motherboard: Motherboard) -> AnyBoardEntry { self }

    func remove(_ flow: AnyFlow) {}
    /// Lets go of boards and flows without running a handler; everything has been marked orphaned before.
    func dismantle() {}

    final func close() {
        if standing == .open { standing = .closed }
    }

    final func markOrphaned() {
        standing = .orphaned
        for liveBoard in liveBoards { liveBoard.markOrphaned() }
    }

    /// This entry with its contract, which is the same wherever the name is the same.
    final func typed<Contract>(as id: BoardID<Contract>, at site: CallSite = CallSite()) -> BoardEntry<Contract> {
        site.require(
            ObjectIdentifier(contract) == ObjectIdentifier(Contract.self),
            "Two contracts share the board name '\(id)': \(contract) and \(Contract.self). Rename one of the two."
        )
        return downcast(self, to: BoardEntry<Contract>.self)
    }

    /// Tells the observers, if there are any.
    ///
    /// - Parameters:
    ///   - kind: what happened.
    ///   - live board: the board it is about, where it is about one.
    ///   - isDerived: how it was brought about, where that was not just now.
    ///   - isPrivate: of an activation without a board yet, whether its result is awaited.
    ///   - gate: the gate it is about, if any.
    ///   - payload: what was sent, for those who entry it.
    ///   - message: a sentence for people.
    @inline(__always)
    final func raise(
        _ kind: BoardEvent.Kind,
        of liveBoard: AnyLiveBoard? = nil,
        isDerived: Bool? = nil,
        isPrivate: Bool = false,
        gate: AnyBoardID? = nil,
        payload: @autoclosure () -> Any = (),
        _ message: () -> String
    ) {
        if scheduler.observerCount > 0 {
            raiseObserved(kind, liveBoard, isDerived, isPrivate, gate, payload(), message())
        }
    }

    private final func raiseObserved(
        _ kind: BoardEvent.Kind,
        _ liveBoard: AnyLiveBoard?,
        _ isDerived: Bool?,
        _ isPrivate: Bool,
        _ gate: AnyBoardID?,
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
            payload: payload,
            { message }
        )
    }
}
