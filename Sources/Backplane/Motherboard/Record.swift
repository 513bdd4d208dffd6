import BackplaneConcurrency

/// All that one motherboard knows of one identity: how its board is made, the live ones, who listens.
///
/// Flows and slots hold their record, so a message finds its receivers without a look-up.
final class Record<Contract: BoardContract>: AnyRecord {
    // In force here, once resolved: this motherboard's own, or what it inherits.
    private var registration: Registration<Contract>?
    private var gates: [Gate] = []

    private var shared: SlotCore<Contract>?
    private var flows = FlowList<Contract.Output>()
    private(set) var extras: Extras?

    /// Kept, because finding a generic type anew costs as much as making the object.
    private(set) lazy var pendingOutput = PendingOutput<Contract>.self

    init(id: BoardID<Contract>, motherboard: Motherboard) {
        super.init(name: id.name, motherboard: motherboard)
    }

    var id: BoardID<Contract> { BoardID(name) }
    override var contract: any BoardContract.Type { Contract.self }

    // MARK: Registration

    func register(
        _ registration: Registration<Contract>,
        reuse: Reuse,
        replacing: Bool,
        isStandIn: Bool = false,
        at site: CallSite
    ) {
        if hasStandIn, !replacing { return }
        site.require(
            !ownsRegistration || replacing,
            "Board '\(id)' is registered already; pass `replacing: true` where that is meant, or use another name."
        )
        // Let go of last: what it captured may call back.
        let earlier = self.registration
        self.registration = registration
        self.reuse = reuse
        hasStandIn = isStandIn
        ownsRegistration = true
        turns.registryChanged()
        letGo(of: earlier as AnyObject?)
    }

    /// Puts a gate in front of the board, in the place of the same one where that is `replacing`.
    func guardEntrance(with gate: Gate, replacing: Bool, at site: CallSite) {
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
        letGo(of: earlier)
        turns.registryChanged()
    }

    override var ownGates: [Gate] { extras?.ownGates ?? [] }

    /// Resolves the registration and the gates in force from this motherboard and those around it.
    ///
    /// Releases the earlier ones last. Their captures may call back then: they may register anew and end the motherboard.
    private func resolve() {
        while resolvedVersion != turns.registryVersion, standing != .orphaned {
            let outer = ownsRegistration ? nil : outerRecord
            outer?.resolve()
            resolvedVersion = turns.registryVersion
            let passage = ownPlacement ?? outer.flatMap(passage(through:))
            let (earlier, earlierGates) = (registration, gates)
            if !ownsRegistration {
                registration = outer?.registration
                reuse = outer?.reuse ?? .shared
            }
            // The gates in front of a board that is elsewhere are asked there.
            gates = passage.map { [$0] } ?? motherboard.gates(before: self)
            isElsewhere = passage != nil
            isGated = !gates.isEmpty || isScope
            letGo(of: earlierGates)
            letGo(of: earlier as AnyObject?)
        }
    }

    // MARK: Scopes

    override var passage: Passage? {
        resolve()
        return resolvedPassage
    }

    override var ownPlacement: Placement? { extras?.ownPlacement }

    override var entrance: Gate? { extras?.entrance?.rule }

    override func declareScope(on motherboard: Motherboard) { extras?.entrance?.declare(motherboard) }

    override var liveScope: AnySlotCore? {
        if standing == .open { resolve() }
        if isElsewhere {
            return resolvedPassage?.openDestination?.existingRecord(named: name)?.liveScope
        }
        return shared ?? extras?.instances.values.filter { !$0.isPrivate }.max { $0.number < $1.number }
    }

    override func beginEntering(for run: GateRun) {
        let entrant = TypedEntrant(entering: self, for: run)
        run.boardEntrant = entrant
        entrant.proceed()
    }

    /// The way to the board if it is elsewhere, as far as resolved.
    var resolvedPassage: Passage? {
        isElsewhere ? gates.first.map { downcast($0, to: Passage.self) } : nil
    }

    private var outerRecord: Record<Contract>? { motherboard.parent?.nearestRecord(for: id) }

    private var registrationInForce: Registration<Contract>? {
        resolve()
        return registration
    }

    override var isRegistered: Bool { registrationInForce != nil }

    override var gatesInForce: [Gate] {
        resolve()
        return gates
    }

    override var outputFlows: [AnyFlow] { flows.all }

    // MARK: Activation

    /// Activates the board, behind its gates if it has any.
    ///
    /// To be called inside a turn.
    func activate(
        with input: Contract.Input,
        for listener: Listener<Contract>? = nil,
        from sender: AnySlotCore? = nil
    ) -> Activation<Contract> {
        if standing == .open { resolve() }
        guard standing == .open else {
            listener?.finish(atEndOf: self)
            return Activation(id, .ownerGone)
        }
        if isElsewhere, let there = recordElsewhere {
            return there.activate(with: input, for: listener, from: sender)
        }
        let purpose = !turns.hasRuns ? nil : motherboard.purpose(sender)
        guard isGated, registration != nil || isElsewhere else {
            return activateUngated(with: input, for: listener, purpose: purpose)
        }
        let entrant = needExtras().entrantType.init(at: self, with: input, for: listener, purpose: purpose)
        entrant.proceed()
        // Where no gate was asked, what there is to keep is the board.
        return entrant.inside ?? Activation(of: entrant)
    }

    func activateUngated(
        with input: Contract.Input,
        for listener: Listener<Contract>? = nil,
        purpose: Purpose? = nil,
        entrant: TypedEntrant<Contract>? = nil
    ) -> Activation<Contract> {
        let activated = activateCore(with: input, for: listener, purpose: purpose, entrant: entrant)
        guard let (core, generation) = activated else {
            guard standing == .open else {
                listener?.finish(atEndOf: self)
                return Activation(id, .ownerGone)
            }
            listener?.finish(throwing: BoardError.noSuchBoard(anyID))
            motherboard.reportMissing(anyID, for: purpose)
            return Activation(id, .noSuchBoard)
        }
        return Activation(of: core, generation: generation)
    }

    /// Activates the board as the next one of a chain, for which nobody wants a handle.
    func step(with input: Contract.Input) {
        // Done a million times: a board that is live, with nothing in front of it.
        if let shared, standing == .open, resolvedVersion == turns.registryVersion, !isGated, !turns.hasRuns {
            reactivate(shared, with: input)
        } else {
            _ = activate(with: input)
        }
    }

    // MARK: As a gate

    /// The run that further activations may join, if the board is a gate without input.
    override var sharedRun: GateRun? {
        get { extras?.sharedRun }
        set {
            guard newValue != nil || extras != nil else { return }
            let extras = needExtras()
            let earlier = extras.sharedRun
            extras.sharedRun = newValue
            letGo(of: earlier)
        }
    }

    /// Activates the board as the front of `run`, behind the gates in front of it.
    func activate(for run: GateRun, with input: Contract.Input) {
        if standing == .open { resolve() }
        guard standing == .open else { return run.denyAll(.ownerGone) }
        if run.isOver { return }
        guard isGated else { return enter(for: run, with: input) }
        let entrant = TypedEntrant(at: self, with: input, asker: run, purpose: run.purpose)
        run.boardEntrant = entrant
        entrant.proceed()
    }

    /// Activates the board as the front of `run`.
    func enter(for run: GateRun, with input: Contract.Input) {
        // Registered when it was asked, it cannot be gone, unless with its motherboard.
        guard run.kind == .scope else {
            if activateCore(with: input, run: run) == nil { run.denyAll(.ownerGone) }
            return
        }
        // Those who wait have been let in by now, unless the board has ended.
        let core = activateCore(with: input)?.0
        if core?.isLive != true { run.denyAll(core?.ending.map(Denial.Reason.completed) ?? .ownerGone) }
    }

    // MARK: Making boards

    /// Makes the board or takes the live one, and activates it; nil where it is not registered.
    func activateCore(
        with input: Contract.Input,
        for listener: Listener<Contract>? = nil,
        purpose: Purpose? = nil,
        run: GateRun? = nil,
        entrant: TypedEntrant<Contract>? = nil
    ) -> (SlotCore<Contract>, generation: UInt64)? {
        let isPrivate = listener?.isPrivate ?? false
        let isOwn = isPrivate || run?.ownsBoard ?? false
        if isScope, !isOwn, let earlier = shared {
            // What it has brought about ends before what comes instead is made.
            earlier.end(.cancelled)
            if let later = shared {
                // Entered anew by what has ended.
                listener?.finish(with: .cancelled)
                return (later, turns.nextGeneration())
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
                entrant: entrant
            )
            return (shared, generation)
        }
        guard let registration = registrationInForce else { return nil }
        let generation = turns.nextGeneration()
        let core = registration.coreType.init(record: self, generation: generation, input: input)
        if isOwn || (reuse == .perActivation && !isScope) {
            needExtras().instances[generation] = core
        } else {
            shared = core
        }
        if let listener { core.listener = listener }
        if let entrant { entrant.inside = Activation(of: core, generation: generation) }
        if let run {
            core.purpose = run
            run.core = core
            run.hasMadeBoard = true
        } else if let purpose {
            core.purpose = purpose
        }
        let wasDeriving = turns.isDeriving
        let purposeBefore = turns.purpose
        turns.purpose = nil
        turns.isDeriving = false
        let board = registration.makeBoard(for: Slot(core: core), input)
        turns.isDeriving = wasDeriving
        turns.purpose = purposeBefore
        // A board may end in its own initialiser; then there is nothing to activate.
        guard core.isLive else { return (core, generation) }
        core.board = board
        raise(.activated, of: core, payload: input) { "Made and activated." }
        if turns.typedObserverCount > 0 { noticeActivation(input) }
        core.activateBoard(with: input)
        if turns.hasRuns, !isOwn { turns.letInto(core) }
        return (core, generation)
    }

    @discardableResult
    private func reactivate(
        _ core: SlotCore<Contract>,
        with input: Contract.Input,
        for listener: Listener<Contract>? = nil,
        purpose: Purpose? = nil,
        run: GateRun? = nil,
        entrant: TypedEntrant<Contract>? = nil
    ) -> UInt64 {
        precondition(
            core.isPluggedIn,
            "Board '\(id)' was activated while it was being made; start work in activate(with:), not in init."
        )
        // Taken now: the board may be activated once more before this activation returns.
        let generation = turns.nextGeneration()
        core.generation = generation
        core.remember(input)
        if let entrant { entrant.inside = Activation(of: core, generation: generation) }
        if core.hasExtras || listener != nil || purpose != nil || run != nil {
            core.supersede(with: listener, purpose: purpose, run: run)
            core.supersedeWork()
            // A handler of cancellation may have activated the board again.
            guard core.generation == generation else { return generation }
        }
        raise(.activated, of: core, payload: input) { "Activated again; the earlier activation is superseded." }
        if turns.typedObserverCount > 0 { noticeActivation(input) }
        core.activateBoard(with: input)
        return generation
    }

    override func activate(reading input: any ReadablePayload, isPrivate: Bool) -> Reactivation? {
        guard let input = input.read(as: Contract.Input.self) else { return nil }
        let listener = isPrivate ? Listener<Contract>(isPrivate: true) : nil
        let activation = turns.turn { activate(with: input, for: listener) }
        return Reactivation(state: activation.state, core: activation.anyCore, listener: listener)
    }

    override func receive(reading command: any ReadablePayload) -> Bool {
        guard let command = command.read(as: Contract.Command.self) else { return false }
        _ = turns.turn { receive(command) }
        return true
    }

    override func registerStandIn(reuse: Reuse) {
        register(SlotRegistration { StandIn<Contract>(slot: $0) }, reuse: reuse, replacing: true, at: CallSite())
    }

    override func counterpart(on motherboard: Motherboard) -> AnyRecord { motherboard.record(for: id) }

    // MARK: Messages

    func receive(_ command: Contract.Command) -> CommandResult {
        if let shared, shared.isPluggedIn, extras?.instances.isEmpty ?? true {
            raise(.command, of: shared, payload: command) { "Received a command." }
            if turns.typedObserverCount > 0 { noticeCommand(command) }
            shared.tellBoard(command)
            return .delivered(1)
        }
        let cores = typedCores.filter { $0.isPluggedIn && !$0.isPrivate }
        guard !cores.isEmpty else {
            let home = home
            if home !== self { return downcast(home, to: Self.self).receive(command) }
            raise(.undeliveredCommand, payload: command) { "No board was live to obey the command." }
            return isKnown ? .notLive : .noSuchBoard
        }
        raise(.command, payload: command) { "Received a command, at \(cores.count) boards." }
        if turns.typedObserverCount > 0 { noticeCommand(command) }
        // One may have ended another by the time it is told.
        return .delivered(cores.count { $0.tellBoard(command) })
    }

    /// Delivers an output.
    ///
    /// - Parameters:
    ///   - output: the output.
    ///   - core: the board that sent it.
    ///   - listener: the listener to its activation when it was sent.
    ///   - purpose: what the board acted for when it was sent: the question that it was to answer, if it is a gate.
    func deliver(
        _ output: Contract.Output,
        from core: SlotCore<Contract>,
        to listener: Listener<Contract>?,
        for purpose: Purpose?
    ) {
        // With the owner gone a gate opens for nobody; its completion, which is queued behind, denies.
        if standing == .orphaned { return }
        let isAnswer = purpose != nil && isAnswer(to: purpose)
        if flows.isEmpty, listener == nil, !isAnswer {
            raise(.unhandledOutput, of: core, payload: output) {
                "Nothing handled the output; register a flow from '\(id)'\(motherboard.place)."
            }
            if turns.typedObserverCount > 0 { noticeOutput(output) }
            return
        }
        raise(.output, of: core, payload: output) { "Sent an output." }
        if turns.typedObserverCount > 0 { noticeOutput(output) }
        if let listener, listener.isPrivate { return listener.send(output) }
        let wasDeriving = turns.isDeriving
        // What is on a nested motherboard is its board's own doing.
        turns.isDeriving = !isBoardsOwn
        if purpose != nil {
            let before = turns.purpose
            turns.purpose = purpose
            flows.fire(output, from: self)
            turns.purpose = before
        } else {
            flows.fire(output, from: self)
        }
        turns.isDeriving = true
        listener?.send(output)
        // After the flows, so that what they set up (a signed-in user, say) is there for the board that enters.
        if isAnswer, let purpose { judge(output, downcast(purpose, to: GateRun.self)) }
        turns.isDeriving = wasDeriving
    }

    // MARK: Listeners

    func add(_ flow: Flow<Contract.Output>) {
        // Taken out and put back, for the reason given in `RecordTable.add`.
        var flows = flows
        self.flows = FlowList()
        flows.append(flow)
        self.flows = flows
    }

    func addCompletion(_ flow: Flow<EndedActivation<Contract>>) { needExtras().completionFlows.append(flow) }

    override func remove(_ flow: AnyFlow) {
        let earlier = (flows, extras?.completionFlows, extras?.observers)
        flows = flows.removing(flow)
        if let extras {
            extras.completionFlows = extras.completionFlows.removing(flow)
            extras.observers = extras.observers.removing(flow)
        }
        letGo(of: earlier)
    }

    func needExtras() -> Extras {
        if let extras { return extras }
        let made = Extras()
        extras = made
        return made
    }

    // MARK: The end

    override var liveCores: [AnySlotCore] { typedCores }

    /// The live boards, in the order they were made.
    private var typedCores: [SlotCore<Contract>] {
        guard let instances = extras?.instances.values, !instances.isEmpty else { return shared.map { [$0] } ?? [] }
        var cores = instances.map { downcast($0, to: SlotCore<Contract>.self) }
        if let shared { cores.append(shared) }
        return cores.sorted { $0.number < $1.number }
    }

    func forget(_ core: SlotCore<Contract>) {
        if shared === core { shared = nil } else { extras?.instances[core.number] = nil }
    }

    /// How many boards are live that commands reach.
    override var reachableCount: Int {
        let instances = extras?.instances.values.count { !$0.isPrivate } ?? 0
        return instances + (shared == nil ? 0 : 1)
    }

    override func dismantle() {
        let cores = typedCores
        shared = nil
        // Moved out and let go of when nothing of it can be found here any more.
        let (flows, registration, gates, extras) = (flows, registration, gates, extras)
        self.flows = FlowList()
        self.registration = nil
        self.gates = []
        self.extras = nil
        if let extras {
            for observer in extras.observers.all where !observer.isRemoved {
                observer.isRemoved = true
                turns.typedObserverCount -= 1
            }
        }
        for core in cores { core.dismantle() }
        letGo(of: flows)
        letGo(of: gates)
        letGo(of: registration as AnyObject?)
        letGo(of: extras as AnyObject?)
    }
}
