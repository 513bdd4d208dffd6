import BackplaneConcurrency

/// All that one motherboard knows of one board ID.
///
/// This includes the factory, the live boards and the listeners. Flows and slots hold their entry,
/// so a message finds its receivers without a look-up.
final class BoardEntry<Contract: BoardContract>: AnyBoardEntry {
    // Effective here once resolved: this motherboard's own, or inherited from the nearest ancestor.
    var registration: BoardFactory<Contract>?
    var gates: [AnyGate] = []

    var shared: LiveBoard<Contract>?
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
        reuse: BoardReuse,
        replacing: Bool,
        isStandIn: Bool = false,
        at site: CallSite
    ) {
        if hasStandIn, origin == .firm, !replacing { return }
        site.require(
            origin == .inherited || replacing,
            "Board '\(id)' is registered already; pass `replacing: true` to replace it, or use another name."
        )
        // Released last, because its captured values may call back.
        let earlier = self.registration
        self.registration = registration
        self.reuse = reuse
        hasStandIn = isStandIn
        origin = replacing ? .firm : .own
        level.registryChanged()
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
        level.registryChanged()
    }

    override var ownGates: [AnyGate] { extras?.ownGates ?? [] }

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

    override var isRegistered: Bool { registrationInForce != nil }

    override var isRepeatable: Bool { registrationInForce?.isRepeatable ?? true }

    override var gatesInForce: [AnyGate] {
        resolve()
        return gates
    }

    override var outputFlows: [AnyFlow] { flows.all }

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

    override func registerStandIn(reuse: BoardReuse) {
        register(SlotBoardFactory { StandIn<Contract>(slot: $0) }, reuse: reuse, replacing: true, at: CallSite())
    }

    override func counterpart(on motherboard: Motherboard) -> AnyBoardEntry? { motherboard.matchingEntry(for: id) }

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
    var typedLiveBoards: [LiveBoard<Contract>] {
        guard let instances = extras?.instances.values, !instances.isEmpty else { return shared.map { [$0] } ?? [] }
        var liveBoards = instances.map { uncheckedDowncast($0, to: LiveBoard<Contract>.self) }
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
