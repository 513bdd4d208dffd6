import BackplaneConcurrency

/// All that one motherboard knows of one identity: how its board is made, the live ones, who listens.
///
/// Flows and slots hold their record, so a message finds its receivers without a look-up.
final class Record<Contract: BoardContract>: AnyRecord {
    // In force here, once resolved: this motherboard's own, or what it inherits.
    private var registration: Registration<Contract>?
    private var gate: Gate?

    private var shared: SlotCore<Contract>?
    private var flows = FlowList<Contract.Output>()
    private var extras: Extras?

    /// What most identities never need, kept apart so that they do not pay for it.
    private final class Extras {
        // By base class: see `downcast`. Only `activateCore` puts anything in.
        var instances: [UInt64: AnySlotCore] = [:]
        var completionFlows = FlowList<Completion>()
    }

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
        self.registration = registration
        self.reuse = reuse
        hasStandIn = isStandIn
        ownsRegistration = true
        turns.registryChanged()
    }

    func guardEntrance(with gate: Gate) {
        self.gate = gate
        ownsGate = true
        turns.registryChanged()
    }

    /// Sees to it that what is in force here is known: what is not this motherboard's own is the nearest up the chain.
    private func resolve() {
        if resolvedVersion == turns.registryVersion { return }
        resolvedVersion = turns.registryVersion
        if !ownsRegistration {
            let outer = outerRecord
            outer?.resolve()
            registration = outer?.registration
            reuse = outer?.reuse ?? .shared
        }
        if !ownsGate { gate = outerRecord?.specificGate ?? motherboard.generalGate(before: anyID) }
    }

    private var outerRecord: Record<Contract>? { motherboard.parent?.nearestRecord(for: id) }

    /// The nearest gate that was set for this very identity.
    private var specificGate: Gate? { ownsGate ? gate : outerRecord?.specificGate }

    private var registrationInForce: Registration<Contract>? {
        resolve()
        return registration
    }

    override var isRegistered: Bool { registrationInForce != nil }

    override var gateBoard: AnyBoardID? {
        resolve()
        // A general gate is in front of what there is; of a gate of its own one may speak before.
        return ownsGate || registration != nil ? gate?.board : nil
    }

    override var outputFlows: [AnyFlow] { flows.all }

    // MARK: Activation

    /// Activates the board, behind its gate if it has one.
    ///
    /// To be called inside a turn.
    func activate(with input: Contract.Input, for listener: Listener<Contract>? = nil) -> Activation<Contract> {
        guard standing == .open else { return Activation(id, .ownerGone) }
        resolve()
        guard let gate, registration != nil else { return activateUngated(with: input, for: listener) }
        raise(.waiting, isPrivate: listener?.isPrivate ?? false, payload: input) {
            "Waits at the gate in front of the board."
        }
        let entrant = TypedEntrant(id, record: self, input: input, listener: listener)
        gate.admit(entrant, on: motherboard)
        return Activation(of: entrant)
    }

    func activateUngated(
        with input: Contract.Input,
        for listener: Listener<Contract>? = nil
    ) -> Activation<Contract> {
        guard let (core, generation) = activateCore(with: input, for: listener) else {
            listener?.finish(throwing: BoardError.noSuchBoard(anyID))
            motherboard.reportMissing(anyID)
            return Activation(id, .noSuchBoard)
        }
        return Activation(of: core, generation: generation)
    }

    /// Activates the board as the next one of a chain, for which nobody wants a handle.
    func step(with input: Contract.Input) {
        // What is done a million times: a board that is live, with nothing in front of it.
        if let shared, standing == .open, resolvedVersion == turns.registryVersion, gate == nil {
            reactivate(shared, with: input)
        } else {
            _ = activate(with: input)
        }
    }

    /// Makes the board or takes the live one, and activates it; nil where it is not registered.
    func activateCore(
        with input: Contract.Input,
        for listener: Listener<Contract>? = nil
    ) -> (SlotCore<Contract>, generation: UInt64)? {
        let isPrivate = listener?.isPrivate ?? false
        if !isPrivate, let shared { return (shared, reactivate(shared, with: input, for: listener)) }
        guard let registration = registrationInForce else { return nil }
        let generation = turns.nextGeneration()
        let core = registration.coreType.init(record: self, generation: generation, input: input)
        if isPrivate || reuse == .perActivation {
            needExtras().instances[generation] = core
        } else {
            shared = core
        }
        if let listener { core.listener = listener }
        let wasDeriving = turns.isDeriving
        turns.isDeriving = false
        let board = registration.makeBoard(for: Slot(core: core), input)
        turns.isDeriving = wasDeriving
        // A board may end in its own initialiser; then there is nothing to activate.
        guard core.isLive else { return (core, generation) }
        core.board = board
        raise(.activated, of: core, payload: input) { "Made and activated." }
        core.activateBoard(with: input)
        return (core, generation)
    }

    @discardableResult
    private func reactivate(
        _ core: SlotCore<Contract>,
        with input: Contract.Input,
        for listener: Listener<Contract>? = nil
    ) -> UInt64 {
        precondition(
            core.isPluggedIn,
            "Board '\(id)' was activated while it was being made; start work in activate(with:), not in init."
        )
        // Taken now: the board may be activated once more before this activation returns.
        let generation = turns.nextGeneration()
        core.generation = generation
        core.remember(input)
        if listener != nil || core.hasExtras { core.supersede(with: listener) }
        raise(.activated, of: core, payload: input) { "Activated again; the earlier activation is superseded." }
        core.activateBoard(with: input)
        return generation
    }

    override func activate(reading input: WrittenPayload, isPrivate: Bool) -> Reactivation? {
        guard let input = input.read(as: Contract.Input.self) else { return nil }
        let listener = isPrivate ? Listener<Contract>(isPrivate: true) : nil
        let activation = turns.turn { activate(with: input, for: listener) }
        return Reactivation(state: activation.state, core: activation.anyCore, listener: listener)
    }

    override func receive(reading command: WrittenPayload) -> Bool {
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
            shared.tellBoard(command)
            return .delivered(1)
        }
        let cores = typedCores.filter { $0.isPluggedIn && !$0.isPrivate }
        guard !cores.isEmpty else {
            raise(.undeliveredCommand, payload: command) { "No board was live to obey the command." }
            return registrationInForce == nil ? .noSuchBoard : .notLive
        }
        raise(.command, payload: command) { "Received a command, at \(cores.count) boards." }
        // One may have ended another by the time it is told.
        return .delivered(cores.count { $0.tellBoard(command) })
    }

    /// Delivers an output that was sent while `listener`, if any, was listening to its activation.
    func deliver(_ output: Contract.Output, from core: SlotCore<Contract>, to listener: Listener<Contract>?) {
        // With the owner gone a gate opens for nobody; its completion, which is queued behind, denies.
        if standing == .orphaned { return }
        if flows.isEmpty, listener == nil, core.gateRun?.entries.isEmpty ?? true {
            return raise(.unhandledOutput, of: core, payload: output) {
                "Nobody handled the output; register a flow from '\(id)'."
            }
        }
        raise(.output, of: core, payload: output) { "Sent an output." }
        if let listener, listener.isPrivate { return listener.send(output) }
        let wasDeriving = turns.isDeriving
        // What is on a nested motherboard is its board's own doing.
        turns.isDeriving = !isNested
        flows.fire(output, from: self)
        turns.isDeriving = true
        listener?.send(output)
        // After the flows, so that what they set up (a signed-in user, say) is there for the board that enters.
        core.gateRun?.consider(output)
        turns.isDeriving = wasDeriving
    }

    func deliver(_ completion: Completion, from core: SlotCore<Contract>) {
        raise(.completed, of: core, isDerived: core.isEndDerived, payload: completion) { "Completed: \(completion)." }
        if case .cancelled = completion, standing != .open {
            // Whoever waits is told that the motherboard ended, not that the board gave up.
            core.gateRun?.denyAll(.ownerGone)
            core.listener?.finish(throwing: BoardError.ownerGone(anyID))
        } else {
            core.gateRun?.denyAll(.completed(completion))
            core.listener?.finish(with: completion)
        }
        core.gateRun = nil
        if !core.isPrivate, let extras {
            let wasDeriving = turns.isDeriving
            turns.isDeriving = !isNested
            extras.completionFlows.fire(completion, from: self)
            turns.isDeriving = wasDeriving
        }
    }

    // MARK: Listeners

    func add(_ flow: Flow<Contract.Output>) {
        // Taken out and put back, for the reason given in `RecordTable.add`.
        var flows = flows
        self.flows = FlowList()
        flows.append(flow)
        self.flows = flows
    }

    func addCompletion(_ flow: Flow<Completion>) { needExtras().completionFlows.append(flow) }

    override func remove(_ flow: AnyFlow) {
        flows = flows.removing(flow)
        if let extras { extras.completionFlows = extras.completionFlows.removing(flow) }
    }

    private func needExtras() -> Extras {
        if let extras { return extras }
        let made = Extras()
        extras = made
        return made
    }

    // MARK: The end

    override var liveCores: [AnySlotCore] { typedCores }

    private var typedCores: [SlotCore<Contract>] {
        let instances = extras?.instances.values.sorted { $0.generation < $1.generation } ?? []
        var cores = instances.map { downcast($0, to: SlotCore<Contract>.self) }
        if let shared { cores.append(shared) }
        return cores
    }

    /// The runs of this board as a gate at which somebody waits.
    var liveRuns: [GateRun<Contract>] {
        typedCores.compactMap(\.gateRun).filter { !$0.entries.isEmpty }
    }

    func forget(_ core: SlotCore<Contract>) {
        if shared === core { shared = nil } else { extras?.instances[core.generation] = nil }
    }

    override func dismantle() {
        flows = FlowList()
        registration = nil
        gate = nil
        let cores = typedCores
        shared = nil
        extras = nil
        for core in cores { core.dismantle() }
    }
}

/// What of a ``Record`` does not depend on its contract.
class AnyRecord: FlowHost {
    enum Standing {
        case open
        /// The motherboard has completed.
        case closed
        /// The motherboard is gone or about to go.
        case orphaned
    }

    let name: String
    // Unowned, for records outlive their motherboard in slots and handles; ``standing`` is `orphaned` before it goes.
    unowned let motherboard: Motherboard
    let turns: Turns
    final fileprivate(set) var standing: Standing
    // Here, beside each other, because they fit into one word.
    /// Whether the motherboard is inside a board.
    final let isNested: Bool
    final fileprivate(set) var ownsRegistration = false
    final fileprivate(set) var ownsGate = false
    /// Whether a test has registered a stand-in, which a later registration does not replace unless
    /// it says so.
    final fileprivate(set) var hasStandIn = false
    final fileprivate(set) var reuse = Reuse.shared
    final fileprivate(set) var resolvedVersion: UInt32 = 0

    init(name: String, motherboard: Motherboard) {
        self.name = name
        self.motherboard = motherboard
        turns = motherboard.turns
        isNested = motherboard.isNested
        standing = motherboard.isCompleted ? .closed : .open
    }

    final var anyID: AnyBoardID { AnyBoardID(name: name) }
    var contract: any BoardContract.Type { preconditionFailure("A record without a contract was made.") }
    /// The live boards, in the order they were made.
    var liveCores: [AnySlotCore] { [] }
    /// Whether it is known how the board is made, here or from around.
    var isRegistered: Bool { false }
    /// The gate in front of the board, if there is one.
    var gateBoard: AnyBoardID? { nil }
    var outputFlows: [AnyFlow] { [] }

    /// What came of activating with what was written down.
    struct Reactivation {
        let state: ActivationState
        let core: AnySlotCore?
        /// Of a board made for one caller: keep it as long as that caller is to listen.
        let listener: AnyObject?
    }

    /// Activates the board with an input that was written down; nil where it cannot be read.
    func activate(reading input: WrittenPayload, isPrivate: Bool = false) -> Reactivation? { nil }

    /// Gives the live boards a command that was written down; false where it cannot be read.
    func receive(reading command: WrittenPayload) -> Bool { false }

    /// Registers a board that does nothing.
    func registerStandIn(reuse: Reuse) {}

    /// The record of the same identity on another motherboard.
    func counterpart(on motherboard: Motherboard) -> AnyRecord { self }

    func remove(_ flow: AnyFlow) {}
    /// Lets go of boards and flows without running a handler; everything has been marked orphaned before.
    func dismantle() {}

    final func close() {
        if standing == .open { standing = .closed }
    }

    final func markOrphaned() {
        standing = .orphaned
        for core in liveCores { core.markOrphaned() }
    }

    /// This record with its contract, which is the same wherever the name is the same.
    final func typed<Contract>(as id: BoardID<Contract>, at site: CallSite = CallSite()) -> Record<Contract> {
        site.require(
            ObjectIdentifier(contract) == ObjectIdentifier(Contract.self),
            "Two contracts share the board name '\(id)': \(contract) and \(Contract.self). Rename one of the two."
        )
        return downcast(self, to: Record<Contract>.self)
    }

    /// Tells the observers, if there are any.
    ///
    /// - Parameters:
    ///   - kind: what happened.
    ///   - core: the board it is about, where it is about one.
    ///   - isDerived: how it was brought about, where that was not just now.
    ///   - isPrivate: of an activation without a board yet, whether its result is awaited.
    ///   - payload: what was sent, for those who record it.
    ///   - message: a sentence for people.
    @inline(__always)
    final func raise(
        _ kind: BoardEvent.Kind,
        of core: AnySlotCore? = nil,
        isDerived: Bool? = nil,
        isPrivate: Bool = false,
        payload: @autoclosure () -> Any = (),
        _ message: () -> String
    ) {
        if turns.observerCount > 0 { raiseObserved(kind, core, isDerived, isPrivate, payload(), message()) }
    }

    private final func raiseObserved(
        _ kind: BoardEvent.Kind,
        _ core: AnySlotCore?,
        _ isDerived: Bool?,
        _ isPrivate: Bool,
        _ payload: Any,
        _ message: String
    ) {
        guard standing != .orphaned else { return }
        motherboard.raise(
            kind,
            of: core,
            board: anyID,
            isDerived: isDerived,
            isPrivate: isPrivate,
            payload: payload,
            { message }
        )
    }
}
