import BackplaneConcurrency

/// All that one motherboard knows of one board ID.
///
/// This includes the factory, the live boards and the listeners. Flows and slots hold their entry,
/// so a message finds its receivers without a look-up.
final class BoardEntry<Contract: BoardContract>: AnyBoardEntry {
    // Effective here once resolved: this motherboard's own, or inherited from the nearest ancestor.
    private var registration: BoardFactory<Contract>?
    private var gates: [AnyGate] = []

    private(set) var shared: LiveBoard<Contract>?
    private(set) var flows = FlowList<Contract.Output>()
    private(set) var extras: Extras?

    /// Stored, because looking up a generic type costs as much as creating the object.
    private(set) lazy var pendingOutput = PendingOutput<Contract>.self

    init(id: BoardID<Contract>, level: Level) {
        super.init(name: id.name, level: level)
    }

    var id: BoardID<Contract> { BoardID(name) }
    override var contract: any BoardContract.Type { Contract.self }

    // MARK: Registration

    func register(
        _ registration: BoardFactory<Contract>,
        reuse: Reuse,
        replacing: Bool,
        isStandIn: Bool = false,
        at site: CallSite
    ) {
        if hasStandIn, !replacing { return }
        site.require(
            !ownsRegistration || replacing,
            "Board '\(id)' is registered already; pass `replacing: true` to replace it, or use another name."
        )
        // Released last, because its captured values may call back.
        let earlier = self.registration
        self.registration = registration
        self.reuse = reuse
        hasStandIn = isStandIn
        ownsRegistration = true
        scheduler.registryChanged()
        drop(earlier as AnyObject?)
    }

    /// Puts a gate in front of the board; with `replacing`, it may replace the same gate.
    func addGate(_ gate: AnyGate, replacing: Bool, at site: CallSite) {
        let extras = needExtras()
        var gates = extras.ownGates
        if let same = gates.firstIndex(where: { $0.isSame(as: gate) }) {
            if !replacing { site.failBecauseGateIsSet(gate, before: "board '\(id)'") }
            gates[same] = gate
        } else {
            gates.append(gate)
        }
        let earlier = extras.ownGates
        extras.ownGates = gates
        drop(earlier)
        scheduler.registryChanged()
    }

    override var ownGates: [AnyGate] { extras?.ownGates ?? [] }

    /// Resolves the effective registration and gates from this motherboard and its ancestors.
    ///
    /// Releases the previous ones last. Their captured values may call back then: they may register
    /// again or end the motherboard.
    func resolve() {
        while resolvedVersion != scheduler.registryVersion, standing != .orphaned {
            // Another thread may have released the tree, and then nothing is entered any longer.
            if isNested, !level.isThere { return }
            let nearest = level.outer?.nearestEntry(named: name)
            // A name may belong to another contract there.
            let outer = nearest?.typed(as: id)
            outer?.resolve()
            resolvedVersion = scheduler.registryVersion
            // Inside the scope, the board is here, although the same module declares it again.
            let own = ownRoute.flatMap { $0.isAround(level) ? nil : $0 }
            let route = own ?? (ownsRegistration ? nil : outer.flatMap(route(through:)))
            let (earlier, earlierGates) = (registration, gates)
            if !ownsRegistration {
                registration = outer?.registration
                reuse = outer?.reuse ?? .shared
            }
            // The gates in front of a board on another motherboard are asked there, except those
            // between here and the motherboard that leads there.
            gates =
                route.map { [$0] + level.gates(before: self, below: $0.gateBoard.level) }
                ?? gates(behind: outer)
            isElsewhere = route != nil
            isGated = !gates.isEmpty || isScope
            hasRouteOutside = outer.map { $0.isElsewhere || $0.hasRouteOutside } ?? (nearest != nil)
            if isNested { findOutside() }
            drop(earlierGates)
            drop(earlier as AnyObject?)
        }
    }

    /// Returns the gates in front of a board that is here.
    ///
    /// Takes over those of `outer`, the resolved entry on the nearest ancestor that has one. So
    /// boards inside boards do not each ask all motherboards around them.
    private func gates(behind outer: BoardEntry<Contract>?) -> [AnyGate] {
        guard let outer, !outer.isElsewhere, !level.hasGeneralGates(below: outer.level) else {
            return level.gates(before: self)
        }
        return ownGates.isEmpty ? outer.gates : outer.gates + ownGates
    }

    // MARK: Scopes

    override var route: BoardRoute? {
        resolve()
        return resolvedRoute
    }

    override var ownRoute: InwardRoute? { extras?.ownRoute }

    override var entrance: AnyGate? { extras?.entrance?.rule }

    override func declareScope(on motherboard: Motherboard) { extras?.entrance?.declare(motherboard) }

    override var liveScope: AnyLiveBoard? {
        if standing == .open { resolve() }
        if isElsewhere {
            return resolvedRoute?.openDestination?.existingEntry(named: name)?.liveScope
        }
        return shared ?? extras?.instances.values.filter { !$0.isPrivate }.max { $0.number < $1.number }
    }

    override func beginEntering(for run: UInt64) {
        let waiter = GateWaiter(entering: self, for: run)
        scheduler.gates.begin(waiting: waiter, for: run)
        waiter.proceed()
    }

    /// The route to the board if it belongs to another motherboard, as last resolved.
    var resolvedRoute: BoardRoute? {
        isElsewhere ? gates.first.map { downcast($0, to: BoardRoute.self) } : nil
    }

    private var registrationInForce: BoardFactory<Contract>? {
        resolve()
        return registration
    }

    override var isRegistered: Bool { registrationInForce != nil }

    override var isRepeatable: Bool { registrationInForce?.isRepeatable ?? true }

    override var gatesInForce: [AnyGate] {
        resolve()
        return gates
    }

    override var outputFlows: [AnyFlow] { flows.all }

    // MARK: Activation

    /// Activates the board, behind its gates if it has any.
    ///
    /// Must be called inside a turn.
    func activate(
        with input: Contract.Input,
        for listener: Listener<Contract>? = nil,
        from sender: AnyLiveBoard? = nil,
        through origin: AnyBoardEntry? = nil,
        as arrival: AnyArrival? = nil
    ) -> Activation<Contract> {
        if standing == .open { resolve() }
        guard standing == .open else {
            listener?.finish(atEndOf: self)
            return Activation(id, .ownerGone)
        }
        if isElsewhere, gates.count == 1, let there = entryElsewhere {
            return there.activate(with: input, for: listener, from: sender, through: origin ?? self, as: arrival)
        }
        let purpose = !scheduler.gates.hasRuns ? nil : (origin ?? self).motherboard.purpose(sender)
        guard isGated, registration != nil || isElsewhere else {
            return activateUngated(with: input, for: listener, purpose: purpose)
        }
        let waiter = needExtras().waiterType.init(at: self, with: input, for: listener, purpose: purpose)
        waiter.origin = origin
        waiter.arrival = arrival
        waiter.proceed()
        // If no gate was asked, the caller needs a handle to the board, not to the waiter.
        return waiter.inside ?? Activation(of: waiter)
    }

    func activateUngated(
        with input: Contract.Input,
        for listener: Listener<Contract>? = nil,
        purpose: Purpose? = nil,
        waiter: GateWaiter<Contract>? = nil
    ) -> Activation<Contract> {
        let activated = activateLiveBoard(with: input, for: listener, purpose: purpose, waiter: waiter)
        guard let (liveBoard, generation) = activated else {
            guard standing == .open else {
                listener?.finish(atEndOf: self)
                return Activation(id, .ownerGone)
            }
            listener?.finish(throwing: BoardError.noSuchBoard(anyID))
            motherboard.reportMissing(anyID, for: purpose)
            return Activation(id, .noSuchBoard)
        }
        return Activation(of: liveBoard, generation: generation)
    }

    /// Activates the board as the next step of a chain, without returning a handle.
    func step(with input: Contract.Input) {
        // The hot path of long chains: the board is live, and nothing is in front of it.
        if let shared, standing == .open, resolvedVersion == scheduler.registryVersion, !isGated,
            !scheduler.gates.hasRuns
        {
            reactivate(shared, with: input)
        } else {
            _ = activate(with: input)
        }
    }

    // MARK: Making boards

    /// Activates the live board, or makes one first; returns `nil` if no board can be made.
    func activateLiveBoard(
        with input: Contract.Input,
        for listener: Listener<Contract>? = nil,
        purpose: Purpose? = nil,
        run: UInt64 = 0,
        waiter: GateWaiter<Contract>? = nil
    ) -> (LiveBoard<Contract>, generation: UInt64)? {
        let isPrivate = listener?.isPrivate ?? false
        // A scope has one live board, even if a gate asks it.
        let isOwn = isPrivate || run != 0 && !isScope && scheduler.gates.kind(of: run) == .own
        if isScope, !isOwn, let earlier = shared {
            // The previous board, and all that it caused, ends before the new one is made.
            earlier.end(.cancelled)
            if let later = shared {
                // Code that ran at that end has entered the scope again.
                listener?.finish(with: .cancelled)
                scheduler.deny(run, .gateSuperseded)
                return (later, scheduler.nextGeneration())
            }
            guard standing == .open else { return nil }
        }
        if !isOwn, let shared {
            let generation = reactivate(
                shared,
                with: input,
                for: listener,
                purpose: purpose,
                run: run,
                waiter: waiter
            )
            return (shared, generation)
        }
        guard let registration = registrationInForce else { return nil }
        let generation = scheduler.nextGeneration()
        let liveBoard = registration.liveBoardType.init(entry: self, generation: generation, input: input)
        if isOwn || (reuse == .perActivation && !isScope) {
            needExtras().instances[generation] = liveBoard
        } else {
            shared = liveBoard
        }
        if let listener { liveBoard.listener = listener }
        if let waiter { waiter.inside = Activation(of: liveBoard, generation: generation) }
        if run != 0 {
            liveBoard.purpose = scheduler.gates.purpose(ofBoardFor: run)
            scheduler.gates.begin(asking: liveBoard, for: run, isMade: true)
        } else if let purpose {
            liveBoard.purpose = purpose
        }
        if scheduler.keptInputs.contains(name) { liveBoard.keepInput(input) }
        let board = scheduler.acting(asFlow: false, for: nil) {
            registration.makeBoard(for: Slot(liveBoard: liveBoard), input)
        }
        // A board may end in its own initializer. Then there is nothing to activate.
        guard liveBoard.isLive else {
            if let ending = liveBoard.ending { liveBoard.tellEnd(board, ending) }
            return (liveBoard, generation)
        }
        liveBoard.board = board
        raise(.activated, of: liveBoard, payload: input) { "Made and activated." }
        if scheduler.typedObserverCount > 0 { noticeActivation(input) }
        liveBoard.activateBoard(with: input)
        if scheduler.gates.hasRuns, !isOwn { scheduler.letInto(liveBoard) }
        return (liveBoard, generation)
    }

    @discardableResult
    private func reactivate(
        _ liveBoard: LiveBoard<Contract>,
        with input: Contract.Input,
        for listener: Listener<Contract>? = nil,
        purpose: Purpose? = nil,
        run: UInt64 = 0,
        waiter: GateWaiter<Contract>? = nil
    ) -> UInt64 {
        precondition(
            liveBoard.isPluggedIn,
            "Board '\(id)' was activated during its own initialization; start work in activate(with:), not in init."
        )
        // Assigned now, because the board may be activated again before this activation returns.
        let generation = scheduler.nextGeneration()
        liveBoard.generation = generation
        liveBoard.remember(input)
        if let waiter { waiter.inside = Activation(of: liveBoard, generation: generation) }
        if liveBoard.hasExtras || listener != nil || purpose != nil || run != 0 {
            liveBoard.supersede(with: listener, purpose: purpose, run: run)
            liveBoard.supersedeWork()
            // A cancellation handler may have activated the board again.
            guard liveBoard.generation == generation else { return generation }
        }
        raise(.activated, of: liveBoard, payload: input) { "Activated again; the earlier activation is superseded." }
        if scheduler.typedObserverCount > 0 { noticeActivation(input) }
        liveBoard.activateBoard(with: input)
        return generation
    }

    override func activate(reading input: any ReadablePayload, isPrivate: Bool) -> Reactivation? {
        guard let input = input.read(as: Contract.Input.self) else { return nil }
        let listener = isPrivate ? Listener<Contract>(isPrivate: true) : nil
        let activation = scheduler.turn { activate(with: input, for: listener) }
        return Reactivation(
            state: activation.state,
            liveBoard: activation.anyLiveBoard,
            waiter: activation.anyWaiter,
            listener: listener
        )
    }

    override func receive(reading command: any ReadablePayload) -> Bool {
        guard let command = command.read(as: Contract.Command.self) else { return false }
        _ = scheduler.turn { receive(command) }
        return true
    }

    override func registerStandIn(reuse: Reuse) {
        register(SlotBoardFactory { StandIn<Contract>(slot: $0) }, reuse: reuse, replacing: true, at: CallSite())
    }

    override func counterpart(on motherboard: Motherboard) -> AnyBoardEntry? { motherboard.matchingEntry(for: id) }

    // MARK: Messages

    func receive(_ command: Contract.Command) -> CommandResult {
        if let shared, shared.isPluggedIn, extras?.instances.isEmpty ?? true {
            raise(.command, of: shared, payload: command) { "Received a command." }
            if scheduler.typedObserverCount > 0 { noticeCommand(command) }
            shared.tellBoard(command)
            return .delivered(1)
        }
        let liveBoards = typedLiveBoards.filter { $0.isPluggedIn && !$0.isPrivate }
        guard !liveBoards.isEmpty else {
            let home = home
            if home !== self { return downcast(home, to: Self.self).receive(command) }
            raise(.undeliveredCommand, isProblem: true, payload: command) {
                "No live board received the command. Activate the board first, or ask isLive(_:) before you send."
            }
            return isKnown ? .notLive : .noSuchBoard
        }
        raise(.command, payload: command) { "\(liveBoards.count) boards received a command." }
        if scheduler.typedObserverCount > 0 { noticeCommand(command) }
        // One of these boards may end another before it receives the command.
        return .delivered(liveBoards.count { $0.tellBoard(command) })
    }

    /// Delivers an output.
    ///
    /// - Parameters:
    ///   - output: the output.
    ///   - liveBoard: the board that sent it.
    ///   - listener: the listener to the board's activation at the time of sending.
    ///   - purpose: the runs that the board acted for at the time of sending. For a gate board,
    ///     this is the run that waits for its decision.
    func deliver(
        _ output: Contract.Output,
        from liveBoard: LiveBoard<Contract>,
        to listener: Listener<Contract>?,
        for purpose: Purpose?
    ) {
        // If the motherboard is gone, no gate opens. The completion, queued behind this output,
        // denies the waiting activations.
        if isNested { resolveForDelivery() }
        if standing == .orphaned { return }
        let run = purpose == nil ? nil : scheduler.gates.run(askedOf: liveBoard, for: purpose)
        if flows.isEmpty, listener == nil, run == nil, !(hasOutside && hasFlowsOutside) {
            return reportUnhandled(output, from: liveBoard)
        }
        raise(.output, of: liveBoard, payload: output) { "Sent an output." }
        if scheduler.typedObserverCount > 0 { noticeOutput(output) }
        if let listener, listener.isPrivate { return listener.send(output) }
        // Flows on a nested motherboard belong to its board.
        scheduler.acting(asFlow: !isBoardsOwn, for: purpose) {
            flows.fire(output, from: self)
            if hasOutside { fireOutside(output) }
        }
        if listener == nil, run == nil { return }
        scheduler.handleFlow {
            listener?.send(output)
            // Judged after the flows, so that the board that enters finds their effects, such as a
            // signed-in user.
            if let run { judge(output, run) }
        }
    }

    /// Judges an output of this gate board for all activations that wait in `run`.
    ///
    /// This is the first step of a decision; see ``AnyGate``.
    private func judge(_ output: Contract.Output, _ run: UInt64) {
        // This board answers the run, so every rule in the run has a gate board with this contract.
        scheduler.judge(run) { waiter in
            guard let gate = waiter.gate else { return .undecided }
            return downcast(gate, to: Gate<Contract>.self).judge(output, for: waiter)
        }
    }

    // MARK: Listeners

    func add(_ flow: Flow<Contract.Output>) {
        // Moved out and back, for the reason given in `BoardTable.find(_:orAdd:)`.
        var flows = flows
        self.flows = FlowList()
        flows.append(flow)
        self.flows = flows
    }

    override func remove(_ flow: AnyFlow) {
        let earlier = (flows, extras?.completionFlows, extras?.observers)
        flows = flows.removing(flow)
        if let extras {
            extras.completionFlows = extras.completionFlows.removing(flow)
            extras.observers = extras.observers.removing(flow)
        }
        drop(earlier)
    }

    func needExtras() -> Extras {
        if let extras { return extras }
        let made = Extras()
        extras = made
        return made
    }

    // MARK: End

    override var liveBoards: [AnyLiveBoard] { typedLiveBoards }

    /// The live boards, in the order they were made.
    private var typedLiveBoards: [LiveBoard<Contract>] {
        guard let instances = extras?.instances.values, !instances.isEmpty else { return shared.map { [$0] } ?? [] }
        var liveBoards = instances.map { downcast($0, to: LiveBoard<Contract>.self) }
        if let shared { liveBoards.append(shared) }
        return liveBoards.sorted { $0.number < $1.number }
    }

    func forget(_ liveBoard: LiveBoard<Contract>) {
        if shared === liveBoard { shared = nil } else { extras?.instances[liveBoard.number] = nil }
    }

    /// The number of live boards that commands reach.
    override var reachableCount: Int {
        let instances = extras?.instances.values.count { !$0.isPrivate } ?? 0
        return instances + (shared == nil ? 0 : 1)
    }

    override func dismantle() {
        let liveBoards = typedLiveBoards
        shared = nil
        // Moved out first, and released when nothing can be found here any longer.
        let (flows, registration, gates, extras) = (flows, registration, gates, extras)
        self.flows = FlowList()
        self.registration = nil
        self.gates = []
        self.extras = nil
        if let extras {
            for observer in extras.observers.all where !observer.isRemoved {
                observer.isRemoved = true
                scheduler.typedObserverCount -= 1
            }
        }
        for liveBoard in liveBoards { liveBoard.dismantle() }
        drop(flows)
        drop(gates)
        drop(registration as AnyObject?)
        drop(extras as AnyObject?)
    }
}
