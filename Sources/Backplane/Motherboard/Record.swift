import BackplaneConcurrency

/// All that one motherboard knows of one identity: how its board is made, the live ones, who listens.
///
/// Flows and slots hold their record, so a message finds its receivers without a look-up.
final class Record<Contract: BoardContract>: AnyRecord {
    /// Makes a board for a slot that is about to be activated with an input.
    typealias Factory = (Slot<Contract>, Contract.Input) -> any Board<Contract>

    struct Registration {
        let reuse: Reuse
        let make: Factory
    }

    let id: BoardID<Contract>

    /// Registered on this very motherboard; an inherited one is found through ``registration``.
    private var ownRegistration: Registration?
    private var ownGate: Gate?
    private var resolved: (version: Int, registration: Registration?, gate: Gate?)?

    private var shared: SlotCore<Contract>?
    private var instances: [UInt64: SlotCore<Contract>] = [:]
    private var flows: [Flow<Contract.Output>] = []
    private var completionFlows: [Flow<Completion>] = []

    init(id: BoardID<Contract>, motherboard: Motherboard) {
        self.id = id
        super.init(motherboard: motherboard)
    }

    override var anyID: AnyBoardID { AnyBoardID(id) }
    override var contract: any BoardContract.Type { Contract.self }

    // MARK: Registration

    func register(_ registration: Registration, replacing: Bool) {
        precondition(
            ownRegistration == nil || replacing,
            "Board '\(id)' is registered already; pass `replacing: true` where that is meant, or use another name."
        )
        ownRegistration = registration
        turns.registryVersion += 1
    }

    func guardEntrance(with gate: Gate) {
        ownGate = gate
        turns.registryVersion += 1
    }

    /// The registration and the gate in force here: the nearest ones up the chain of motherboards.
    private func resolve() -> (version: Int, registration: Registration?, gate: Gate?) {
        if let resolved, resolved.version == turns.registryVersion { return resolved }
        let inherited = motherboard.parent?.nearestRecord(for: id)?.resolve()
        let found = (turns.registryVersion, ownRegistration ?? inherited?.registration, ownGate ?? inherited?.gate)
        resolved = found
        return found
    }

    var isRegistered: Bool { resolve().registration != nil }

    // MARK: Activation

    /// Activates the board, behind its gate if it has one.
    ///
    /// To be called inside a turn.
    func activate(with input: Contract.Input) -> Activation<Contract> {
        guard acceptsActivations else { return Activation(place: .nowhere(id, .ownerGone)) }
        guard let gate = resolve().gate else { return activateUngated(with: input) }
        guard isRegistered else { return noSuchBoard() }
        let entrant = TypedEntrant(record: self, input: input)
        gate.admit(entrant, on: motherboard)
        return Activation(place: .gated(entrant))
    }

    var acceptsActivations: Bool { !isOrphaned && !motherboard.isCompleted }

    func activateUngated(with input: Contract.Input) -> Activation<Contract> {
        guard let (core, generation) = activateCore(with: input) else { return noSuchBoard() }
        return Activation(place: .made(core, generation: generation))
    }

    /// Makes the board or takes the live one, and activates it; nil where it is not registered.
    func activateCore(with input: Contract.Input) -> (SlotCore<Contract>, generation: UInt64)? {
        // Taken now: the board may be activated once more before this activation returns.
        let generation = turns.nextGeneration()
        if let shared {
            guard let board = shared.board else {
                preconditionFailure(
                    "Board '\(id)' was activated while it was being made; start work in activate(with:), not in init."
                )
            }
            shared.generation = generation
            raise(.activated) { "Activated again; the earlier activation is superseded." }
            board.activate(with: input)
            return (shared, generation)
        }
        guard let registration = resolve().registration else { return nil }
        let core = SlotCore(record: self, generation: generation)
        switch registration.reuse {
        case .shared: shared = core
        case .perActivation: instances[generation] = core
        }
        let board = registration.make(Slot(core: core), input)
        // A board may end in its own initialiser; then there is nothing to activate.
        guard core.isLive else { return (core, generation) }
        core.board = board
        raise(.activated) { "Made and activated." }
        board.activate(with: input)
        return (core, generation)
    }

    private func noSuchBoard() -> Activation<Contract> {
        motherboard.reportMissing(anyID)
        return Activation(place: .nowhere(id, .noSuchBoard))
    }

    // MARK: Messages

    func receive(_ command: Contract.Command) -> CommandResult {
        if instances.isEmpty, let board = shared?.board {
            raise(.command) { "Received a command." }
            board.receive(command)
            return .delivered(1)
        }
        let boards = typedCores.compactMap(\.board)
        guard !boards.isEmpty else { return isRegistered ? .notLive : .noSuchBoard }
        raise(.command) { "Received a command, at \(boards.count) boards." }
        for board in boards { board.receive(command) }
        return .delivered(boards.count)
    }

    func deliver(_ output: Contract.Output, from core: SlotCore<Contract>) {
        // With the owner gone a gate opens for nobody; its completion, which is queued behind, denies.
        if isOrphaned { return }
        if flows.isEmpty, core.gateRun?.entries.isEmpty ?? true {
            return raise(.unhandledOutput) { "Nobody handled the output; register a flow from '\(id)'." }
        }
        raise(.output) { "Sent an output." }
        run(flows, with: output)
        // After the flows, so that what they set up (a signed-in user, say) is there for the board that enters.
        core.gateRun?.consider(output)
    }

    func deliver(_ completion: Completion, from core: SlotCore<Contract>) {
        raise(.completed) { "Completed: \(completion)." }
        core.gateRun?.denyAll(.completed(completion))
        core.gateRun = nil
        run(completionFlows, with: completion)
    }

    /// Fires the flows that are registered now, but for those removed meanwhile.
    private func run<Message>(_ flows: [Flow<Message>], with message: Message) {
        // Whoever was told before may have dropped the last reference to the motherboard, and a handler may do so now.
        if isOrphaned { return }
        let motherboard = motherboard
        for flow in flows { flow.fire(message, from: anyID, on: motherboard) }
    }

    // MARK: Listeners

    func add(_ flow: Flow<Contract.Output>) { flows.append(flow) }

    func addCompletion(_ flow: Flow<Completion>) { completionFlows.append(flow) }

    override func remove(_ flow: AnyFlow) {
        flows.removeAll { $0 === flow }
        completionFlows.removeAll { $0 === flow }
    }

    // MARK: The end

    override var liveCores: [AnySlotCore] { typedCores }

    private var typedCores: [SlotCore<Contract>] {
        var cores = instances.isEmpty ? [] : instances.values.sorted { $0.generation < $1.generation }
        if let shared { cores.append(shared) }
        return cores
    }

    /// The runs of this board as a gate at which somebody waits.
    var liveRuns: [GateRun<Contract>] {
        typedCores.compactMap(\.gateRun).filter { !$0.entries.isEmpty }
    }

    func forget(_ core: SlotCore<Contract>) {
        if shared === core { shared = nil } else { instances[core.generation] = nil }
    }

    override func dismantle() {
        flows = []
        completionFlows = []
        ownRegistration = nil
        ownGate = nil
        resolved = nil
        let cores = typedCores
        shared = nil
        instances = [:]
        for core in cores { core.dismantle() }
    }
}

/// What of a ``Record`` does not depend on its contract.
class AnyRecord: FlowHost {
    // Unowned, for records outlive their motherboard in slots and handles; ``isOrphaned`` is set before it goes.
    unowned let motherboard: Motherboard
    let turns: Turns
    final var isOrphaned = false

    init(motherboard: Motherboard) {
        self.motherboard = motherboard
        turns = motherboard.turns
    }

    var anyID: AnyBoardID { preconditionFailure("A record without an identity was made.") }
    var contract: any BoardContract.Type { preconditionFailure("A record without a contract was made.") }
    /// The live boards, in the order they were made.
    var liveCores: [AnySlotCore] { [] }
    func remove(_ flow: AnyFlow) {}
    /// Lets go of boards and flows without running a handler; everything has been marked orphaned before.
    func dismantle() {}

    final func markOrphaned() {
        isOrphaned = true
        for core in liveCores { core.markOrphaned() }
    }

    /// This record with its contract, which is the same wherever the name is the same.
    final func typed<Contract>(as id: BoardID<Contract>) -> Record<Contract> {
        precondition(
            ObjectIdentifier(contract) == ObjectIdentifier(Contract.self),
            "Two contracts share the board name '\(id)': \(contract) and \(Contract.self). Rename one of the two."
        )
        return downcast(self, checkedToBe: Record<Contract>.self)
    }

    final func raise(_ kind: BoardEvent.Kind, _ message: () -> String) {
        guard turns.observerCount > 0, !isOrphaned else { return }
        motherboard.raise(BoardEvent(kind, board: anyID, message: message()))
    }
}
