import BackplaneConcurrency

/// An activation that waits at the gates in front of its board.
///
/// After a decision, the scheduler calls ``pass()`` or ``deny(by:_:)``. ``pass()`` asks the next
/// gate or enters the board. ``deny(by:_:)`` creates the ``Denial``, raises the event,
/// queues the denial flows, and throws to the awaiting caller.
class AnyGateWaiter: GateAsking {
    final fileprivate(set) var state: ActivationState
    /// The number of the run in which the activation waits now, or 0.
    final var run: UInt64 = 0
    final let asker: UInt64
    final let purpose: Purpose?
    /// The position of this activation among all activations in the tree.
    final let number: UInt64
    /// The entry of the board to enter, or `nil` once the activation no longer waits.
    final fileprivate(set) var entry: AnyBoardEntry?
    /// Whether a caller awaits the result.
    final let isPrivate: Bool
    /// Whether the activation is to enter a scope and has no input from the entrance yet.
    final fileprivate(set) var needsInput = false
    /// The live board of the scope that the activation may enter.
    final var scope: AnyLiveBoard?
    /// Whether a snapshot has restored the activation, which then enters no scope.
    final var isRestored = false
    /// The gate that the activation reached last; `passed` has the earlier ones.
    final private(set) var gate: AnyGate?
    private final var passed: [AnyGate] = []
    /// The entry of the same board on the motherboard that the activation comes from, if it has
    /// gone on to another one.
    ///
    /// Its gates are asked last. Motherboards on the way are around this one or the last one, which
    /// inherit their gates.
    final var origin: AnyBoardEntry?
    /// The output of an entrance for which a scope is activated.
    final var arrival: AnyArrival?
    private final var waiters: Waiters?
    /// Whether the tree's list of waiting activations contains this one.
    private final var isListed = false

    fileprivate init(
        _ state: ActivationState,
        at entry: AnyBoardEntry? = nil,
        isPrivate: Bool = false,
        asker: UInt64 = 0,
        purpose: Purpose? = nil
    ) {
        self.state = state
        self.entry = entry
        self.isPrivate = isPrivate
        number = entry?.scheduler.nextGeneration() ?? 0
        self.asker = asker
        self.purpose = purpose
    }

    final var isEntrant: Bool { gate?.isEntrance ?? false }
    /// The entry of this activation in a snapshot, or `nil` if it no longer waits.
    var snapshotEntry: BoardSnapshot.Entry? { nil }
    /// Returns whether `written` is a form of the input of this activation.
    func hasInput(_ written: WrittenPayload) -> Bool { false }
    /// Raises the event that the activation waits at a gate board, with its input.
    func raiseWaiting(at gateBoard: AnyBoardID) {}
    func enter() {}
    /// Ends the wait without entering: releases the input and finishes the listener.
    func endWait(_ denial: Denial?) {}

    /// Returns whether the activation waits and may still enter.
    ///
    /// Denies it if the motherboard has ended.
    final func canProceed() -> Bool {
        guard state == .waiting, let entry else { return false }
        if entry.standing == .open { return true }
        deny(.ownerGone)
        return false
    }

    /// Asks one gate after another and enters the board after the last one.
    final func proceed() {
        while canProceed() {
            if needsInput, !canBeEntered { return }
            let gate = nextGate
            // Resolving the gates again releases earlier ones, whose captures may call back.
            guard canProceed() else { return }
            guard let gate else { return enter() }
            if let earlier = self.gate { passed = passed + [earlier] }
            self.gate = gate
            if case .waits = gate.ask(for: self) { return }
        }
    }

    /// Whether the scope to enter can be entered; denies the activations that wait for it if not.
    private final var canBeEntered: Bool {
        guard let entry else { return false }
        if !entry.isKnown {
            entry.motherboard.reportMissing(entry.anyID, for: purpose)
            giveUp(.noSuchGate)
        } else if !entry.isElsewhere, entry.entrance == nil {
            giveUp(.noEntrance)
        }
        return canProceed()
    }

    /// The first gate in force that the activation has not reached yet.
    private final var nextGate: AnyGate? {
        guard let entry else { return nil }
        let gates = entry.gatesInForce
        // Only the route: the other gates are asked where it leads, behind those that are there.
        if entry.isElsewhere { return gates.prefix(1).first(where: isAhead) }
        if needsInput { return entry.entrance }
        for gate in gates where isAhead(gate) { return gate }
        return origin == nil ? nil : gatesOfOrigin.first(where: isAhead)
    }

    private final func isAhead(_ gate: AnyGate) -> Bool {
        gate !== self.gate && !passed.contains { $0 === gate }
    }

    /// The entry on the motherboard that the activation comes from, or where it is if that has
    /// ended.
    final var source: AnyBoardEntry? {
        guard let origin, origin.motherboardIfThere != nil, origin.standing == .open else { return entry }
        return origin
    }

    /// The gates where the activation comes from, if it has gone on.
    private final var gatesOfOrigin: ArraySlice<AnyGate> {
        guard let origin, origin === source else { return [] }
        let gates = origin.gatesInForce
        // The first gate of an entry whose board is elsewhere is the route.
        return gates.dropFirst(origin.isElsewhere ? 1 : 0)
    }

    /// Whether a gate has not opened that is only where the activation comes from.
    fileprivate final var hasGateOfOriginAhead: Bool {
        let gates = entry?.gatesInForce ?? []
        return gatesOfOrigin.contains { gate in !(passed + gates).contains { $0 === gate } }
    }

    /// Continues at the entry of the same board on another motherboard.
    final func move(to entry: AnyBoardEntry) {
        let earlier = (gate, scope)
        origin = origin ?? self.entry
        if let gate { passed = passed + [gate] }
        self.entry = entry
        gate = nil
        scope = nil
        withExtendedLifetime(earlier) {}
    }

    /// Lists the activation as waiting and raises the event, before a gate is asked.
    final func beginWaiting(at gateBoard: AnyBoardEntry) {
        if !isListed, entry != nil {
            isListed = true
            gateBoard.scheduler.addWaiting(self)
        }
        // The override looks up a generic type, which costs as much as three messages.
        if gateBoard.scheduler.observerCount > 0 { raiseWaiting(at: gateBoard.anyID) }
    }

    /// Raises the event and continues, after a gate board has opened for this activation.
    ///
    /// Asks the next gate, or enters the board after the last one.
    final func pass() {
        guard canProceed(), let gateBoard = gate?.gateBoard else { return }
        entry?.raise(.gateOpened, isPrivate: isPrivate, gate: gateBoard.anyID) { "Gate '\(gateBoard.anyID)' opened." }
        proceed()
    }

    /// Denies the activation by the gate at which it waits.
    final func deny(_ reason: Denial.Reason) {
        if let gateBoard = gate?.gateBoard ?? entry { deny(by: gateBoard, reason) }
    }

    /// Ends the wait with a ``Denial`` and reports it.
    ///
    /// In this order: sets the state, which resumes callers of `settled()`; raises the event;
    /// queues the denial flows of an ordinary activation, unless a caller awaits the result or the
    /// motherboard has ended; throws to the caller that awaits the result. Resumed callers run
    /// after the turn. If this is the activation of a gate board, the denial goes to its run.
    final func deny(by gateBoard: AnyBoardEntry, _ reason: Denial.Reason) {
        guard state == .waiting, let entry, let source else { return }
        let scheduler = entry.scheduler
        let denial = Denial(of: entry.anyID, by: gateBoard.anyID, reason)
        settle(.denied(denial), in: scheduler)
        entry.raise(.gateDenied, isDerived: true, isPrivate: isPrivate, gate: gateBoard.anyID) { denial.description }
        if asker == 0, !isPrivate, reason != .ownerGone, source.standing == .open {
            scheduler.enqueue(PendingDenial(denial, on: source.motherboard, isAwaited: waiters != nil))
        }
        endWait(denial)
        if asker != 0 { scheduler.deny(asker, because: denial) }
    }

    /// Denies the activation because its motherboard ends.
    final func denyAtEnd() {
        guard let entry else { return }
        let (scheduler, run) = (entry.scheduler, run)
        self.run = 0
        deny(.ownerGone)
        scheduler.leave(run, self)
    }

    /// Leaves the gate at which the activation waits, and asks the gates from the first one on.
    final func askAgain() {
        guard canProceed(), let scheduler = entry?.scheduler else { return }
        let run = run
        self.run = 0
        scheduler.leave(run, self)
        let earlier = (gate, passed)
        (gate, passed) = (nil, [])
        withExtendedLifetime(earlier) { proceed() }
    }

    /// Gives up waiting; the activation then counts as completed.
    ///
    /// - Parameter reason: the denial of the activations that need this one.
    final func giveUp(_ reason: Denial.Reason = .gateCancelled) {
        guard state == .waiting, let entry else { return }
        let (scheduler, run) = (entry.scheduler, run)
        settle(.completed, in: scheduler)
        self.run = 0
        endWait(nil)
        if asker != 0 { scheduler.deny(asker, reason) }
        scheduler.leave(run, self)
    }

    /// Gives up because nothing needs the activation any longer.
    final func withdraw() {
        arrival?.drop()
        giveUp()
    }

    fileprivate final func settle(_ state: ActivationState, in scheduler: TurnScheduler) {
        self.state = state
        if isListed { scheduler.removeWaiting(self) }
        waiters?.resumeAll()
    }

    /// Suspends until the activation no longer waits or the calling task is cancelled.
    final func settled(isolation: isolated (any Actor)?) async {
        guard state == .waiting else { return }
        let waiters = waiters ?? Waiters()
        self.waiters = waiters
        await waiters.wait(isolation: isolation)
    }
}

/// An ``AnyGateWaiter`` with the input for its board.
final class GateWaiter<Contract: BoardContract>: AnyGateWaiter {
    let id: BoardID<Contract>

    /// Calls its argument with the input to enter with, which a gate's question may depend on.
    ///
    /// A closure instead of an optional input: each use of that costs a look-up of the type.
    private(set) var withInput: (((Contract.Input) -> Void) -> Void)?
    private var listener: Listener<Contract>?
    /// The activation of the board, once this activation has entered it.
    var inside: Activation<Contract>?

    required init(
        at entry: BoardEntry<Contract>,
        with input: Contract.Input,
        for listener: Listener<Contract>? = nil,
        asker: UInt64 = 0,
        purpose: Purpose?
    ) {
        id = entry.id
        withInput = { $0(input) }
        self.listener = listener
        super.init(
            .waiting,
            at: entry,
            isPrivate: listener?.isPrivate ?? false,
            asker: asker,
            purpose: purpose
        )
    }

    /// Creates a waiter that enters a scope with the input that the scope's entrance sends.
    init(entering entry: BoardEntry<Contract>, for run: UInt64) {
        id = entry.id
        super.init(.waiting, at: entry, asker: run, purpose: entry.scheduler.gates.purpose(of: run))
        needsInput = true
    }

    /// Stores the input that the scope's entrance has sent.
    func take(_ input: Contract.Input, of arrival: AnyArrival) {
        let earlier = withInput
        withInput = { $0(input) }
        needsInput = false
        self.arrival = arrival
        withExtendedLifetime(earlier) {}
    }

    /// Creates a waiter that does not wait and only holds a final state.
    init(_ id: BoardID<Contract>, state: ActivationState) {
        self.id = id
        super.init(state)
    }

    override func raiseWaiting(at gateBoard: AnyBoardID) {
        guard let entry else { return }
        guard let withInput else {
            entry.raise(.waiting, isPrivate: isPrivate, gate: gateBoard) { "Waits at its entrance '\(gateBoard)'." }
            return
        }
        withInput { [isPrivate] input in
            entry.raise(.waiting, isPrivate: isPrivate, gate: gateBoard, payload: input) {
                "Waits at gate '\(gateBoard)'."
            }
        }
    }

    override func enter() {
        guard let entry else { return }
        let typed = uncheckedDowncast(entry, to: BoardEntry<Contract>.self)
        if let route = typed.route { return cross(route) }
        guard let withInput else { return }
        if let arrival, !arrival.enters() { return giveUp() }
        let scheduler = entry.scheduler
        let listener = listener
        release()
        if asker != 0 {
            settle(.completed, in: scheduler)
            scheduler.gates.begin(waiting: nil, for: asker)
            return scheduler.handleFlow { withInput { typed.enter(for: asker, with: $0) } }
        }
        settle(.active, in: scheduler)
        withInput { input in
            let inside = typed.activateUngated(with: input, for: listener, purpose: purpose, waiter: self)
            // If no board was made, the returned activation still has the state.
            if self.inside == nil { self.inside = inside }
        }
    }

    /// Continues on the motherboard that the route leads to, if the board is registered there.
    private func cross(_ route: BoardRoute) {
        guard let motherboard = route.destination(of: self) else {
            // The route has usually denied the activation already. If not, the destination is about
            // to be released.
            return deny(by: route.gateBoard, .ownerGone)
        }
        let there = motherboard.matchingEntry(for: id)
        let isKnown = !motherboard.isCompleted && there?.isKnown ?? false
        guard canProceed() else { return }
        guard let there, isKnown else { return deny(by: route.gateBoard, .notInside) }
        // The motherboard where it was restored may not know that the board is a scope.
        if isRestored, there.isScope { return deny(by: there, .noEntrance) }
        move(to: there)
        proceed()
    }

    /// Releases everything that the activation waited with.
    private func release() {
        // Cleared first: without the entry, nothing reads the input again, not even the input's own
        // `deinit`.
        entry = nil
        origin = nil
        listener = nil
        withInput = nil
        // An activation handle may keep this waiter alive. It must not keep the scope's board
        // alive, because that board may hold data of a user.
        scope = nil
    }

    override func endWait(_ denial: Denial?) {
        let (entry, listener) = (entry, listener)
        release()
        guard let entry, let listener else { return }
        switch denial?.reason {
        case nil: listener.finish(with: .cancelled)
        case .ownerGone: listener.finish(atEndOf: entry)
        default: listener.finish(throwing: denial.map(BoardError.denied))
        }
    }

    override func hasInput(_ written: WrittenPayload) -> Bool {
        var isSame = false
        withInput? { isSame = written.isForm(of: $0) }
        return isSame
    }

    override var snapshotEntry: BoardSnapshot.Entry? {
        guard asker == 0, entry != nil, run != 0, let gate, let withInput else { return nil }
        var written: WrittenPayload?
        withInput { written = WrittenPayload($0) }
        return written.map {
            // Where it is restored, gates of other motherboards are not in front of it.
            BoardSnapshot.Entry(
                board: AnyBoardID(id),
                gate: gate.gateBoard.anyID,
                input: $0,
                isAwaited: isPrivate,
                isDenied: hasGateOfOriginAhead
            )
        }
    }
}
