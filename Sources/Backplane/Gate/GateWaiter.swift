import BackplaneConcurrency

/// An activation on its way through the gates in front of its board.
class GateWaiter {
    final fileprivate(set) var state: ActivationState
    /// The run in which it waits.
    final var run: GateRun?
    /// The run for which its board is a gate board; nil of an ordinary activation.
    final let asker: GateRun?
    /// The runs that it acts for.
    final let purpose: Purpose?
    /// Its place among activations.
    final let number: UInt64
    /// The entry of the board that is to be entered; nil when it does not wait any more.
    final fileprivate(set) var entry: AnyBoardEntry?
    /// Whether the result is awaited.
    final let isPrivate: Bool
    /// Whether it is to enter a scope, and nobody has brought the input yet.
    final fileprivate(set) var needsInput = false
    /// The board of the scope that it is let into.
    final var scope: AnyLiveBoard?
    /// The gate that it came to last, and those before.
    private final var gate: Gate?
    private final var passed: [Gate] = []
    private final var waiters: Waiters?
    /// Whether it is in the tree's list of waiting activations.
    private final var isListed = false

    fileprivate init(
        _ state: ActivationState,
        at entry: AnyBoardEntry? = nil,
        isPrivate: Bool = false,
        asker: GateRun? = nil,
        purpose: Purpose? = nil
    ) {
        self.state = state
        self.entry = entry
        self.isPrivate = isPrivate
        number = entry?.scheduler.nextGeneration() ?? 0
        self.asker = asker
        self.purpose = purpose
    }

    /// Its entry in a snapshot; nil when it does not wait any more.
    var snapshotEntry: BoardSnapshot.Entry? { nil }
    /// Raises the event that it waits at a gate board, with its input.
    func raiseWaiting(at gateBoard: AnyBoardID) {}
    func enter() {}
    /// Ends it without entering: lets go of the input and finishes the listener.
    func close(_ denial: Denial?) {}

    /// Returns whether it waits and may still enter; denies it if the motherboard has ended.
    final func canProceed() -> Bool {
        guard state == .waiting, let entry else { return false }
        if entry.standing == .open { return true }
        deny(by: gate?.gateBoard ?? entry, .ownerGone)
        return false
    }

    /// Asks one gate after the other, and enters after the last.
    final func proceed() {
        while canProceed() {
            if needsInput, !canBeEntered { return }
            let gate = nextGate
            // What is found anew lets go of what was found before, which may call back.
            guard canProceed() else { return }
            guard let gate else { return enter() }
            if let earlier = self.gate { passed.append(earlier) }
            self.gate = gate
            if isExempt(from: gate) { continue }
            if case .waits = gate.ask(for: self) { return }
        }
    }

    /// Whether it acts for a run of the gate's gate board, which would otherwise wait for itself.
    private final func isExempt(from gate: Gate) -> Bool {
        guard let purpose, purpose.openRuns.contains(where: { $0.gateBoard === gate.gateBoard }) else { return false }
        // A scope is not entered without the gates in front of it, whoever asks; nor is what is inside without the scope.
        return asker?.kind != .scope && !(gate is BoardRoute)
    }

    /// Whether the scope that it is to enter can be entered; denies it if not.
    private final var canBeEntered: Bool {
        guard let entry else { return false }
        if !entry.isKnown {
            entry.motherboard.reportMissing(entry.anyID, for: purpose)
            deny(by: entry, .noSuchGate)
        } else if !entry.isElsewhere, entry.entrance == nil {
            deny(by: entry, .noEntrance)
        }
        return canProceed()
    }

    /// The first gate in force now that it has not reached yet.
    private final var nextGate: Gate? {
        if needsInput, let entry, !entry.isElsewhere { return entry.entrance }
        return entry?.gatesInForce.first { gate in gate !== self.gate && !passed.contains { $0 === gate } }
    }

    /// Goes on at another motherboard: that of a entry with the same contract.
    final func move(to entry: AnyBoardEntry) {
        let earlier = (self.entry, gate, passed, scope)
        self.entry = entry
        gate = nil
        passed = []
        scope = nil
        withExtendedLifetime(earlier) {}
    }

    /// Lists it as waiting and raises the event, before a gate is asked.
    final func beginWaiting(at gateBoard: AnyBoardEntry) {
        if !isListed, let entry {
            isListed = true
            entry.scheduler.waiting.append(self)
        }
        // The override looks up a generic type, which costs as much as three messages.
        if gateBoard.scheduler.observerCount > 0 { raiseWaiting(at: gateBoard.anyID) }
    }

    /// Goes on after a gate board has opened for this activation.
    final func pass(_ gateBoard: AnyBoardEntry) {
        guard canProceed() else { return }
        entry?.raise(.gateOpened, isPrivate: isPrivate, gate: gateBoard.anyID) { "Gate '\(gateBoard.anyID)' opened." }
        proceed()
    }

    final func deny(by gateBoard: AnyBoardEntry, _ reason: Denial.Reason) {
        guard state == .waiting, let entry else { return }
        let denial = Denial(of: entry.anyID, by: gateBoard.anyID, reason)
        settle(.denied(denial), in: entry.scheduler)
        entry.raise(.gateDenied, isDerived: true, isPrivate: isPrivate, gate: gateBoard.anyID) { denial.description }
        if asker == nil, !isPrivate, reason != .ownerGone, entry.standing == .open {
            entry.scheduler.enqueue(PendingDenial(denial, on: entry.motherboard))
        }
        close(denial)
        asker?.wasDenied(denial)
    }

    /// Denies it because its motherboard ends.
    final func denyAtEnd() {
        guard let entry else { return }
        let run = run
        self.run = nil
        deny(by: gate?.gateBoard ?? entry, .ownerGone)
        run?.remove(self)
    }

    /// Gives up waiting.
    final func leave() {
        guard state == .waiting, let entry else { return }
        settle(.completed, in: entry.scheduler)
        let run = run
        self.run = nil
        close(nil)
        asker?.denyAll(.gateCancelled)
        run?.remove(self)
    }

    fileprivate final func settle(_ state: ActivationState, in scheduler: TurnScheduler) {
        self.state = state
        if isListed { scheduler.removeWaiting(self) }
        waiters?.resumeAll()
    }

    /// Suspends until it does not wait any more or the calling task is cancelled.
    final func settled(isolation: isolated (any Actor)?) async {
        guard state == .waiting else { return }
        let waiters = waiters ?? Waiters()
        self.waiters = waiters
        await waiters.wait(isolation: isolation)
    }

    /// The runs for whose sake it asks: the one it stands for, or else those it acts for.
    final var causes: [GateRun] { asker.map { [$0] } ?? purpose?.openRuns ?? [] }

    /// Returns the circle that a new run at `gateBoard` would close; nil if there is none.
    ///
    /// There is one if a run of that gate board is among the causes, directly or through others.
    final func circle(closedAt gateBoard: AnyBoardEntry) -> [AnyBoardID]? {
        causes.lazy.compactMap { $0.path(from: gateBoard) }.first.map { $0 + [gateBoard.anyID] }
    }
}

/// An ``GateWaiter`` with the input it will enter with.
final class TypedGateWaiter<Contract: BoardContract>: GateWaiter {
    let id: BoardID<Contract>

    /// The input it waits with, for the question that a gate asks.
    private(set) var input: Contract.Input?
    private var listener: Listener<Contract>?
    /// The activation proper, once it has entered.
    var inside: Activation<Contract>?

    required init(
        at entry: BoardEntry<Contract>,
        with input: Contract.Input,
        for listener: Listener<Contract>? = nil,
        asker: GateRun? = nil,
        purpose: Purpose?
    ) {
        id = entry.id
        self.input = input
        self.listener = listener
        super.init(
            .waiting,
            at: entry,
            isPrivate: listener?.isPrivate ?? false,
            asker: asker,
            purpose: purpose
        )
    }

    /// An waiter that is to enter a scope with what its entrance brings.
    init(entering entry: BoardEntry<Contract>, for run: GateRun) {
        id = entry.id
        super.init(.waiting, at: entry, asker: run, purpose: run.purpose)
        needsInput = true
    }

    /// Takes what the scope's entrance has brought.
    func take(_ input: Contract.Input) {
        self.input = input
        needsInput = false
    }

    /// An waiter that does not wait.
    init(_ id: BoardID<Contract>, state: ActivationState) {
        self.id = id
        super.init(state)
    }

    override func raiseWaiting(at gateBoard: AnyBoardID) {
        guard let entry else { return }
        guard let input else {
            entry.raise(.waiting, isPrivate: isPrivate, gate: gateBoard) { "Waits at its entrance '\(gateBoard)'." }
            return
        }
        entry.raise(.waiting, isPrivate: isPrivate, gate: gateBoard, payload: input) { "Waits at gate '\(gateBoard)'." }
    }

    override func enter() {
        guard let entry else { return }
        let typed = downcast(entry, to: BoardEntry<Contract>.self)
        if let route = typed.route { return cross(route) }
        guard let input else { return }
        let scheduler = entry.scheduler
        let listener = listener
        release()
        if let asker {
            settle(.completed, in: scheduler)
            asker.boardWaiter = nil
            return scheduler.handleFlow { typed.enter(for: asker, with: input) }
        }
        settle(.active, in: scheduler)
        let inside = typed.activateUngated(with: input, for: listener, purpose: purpose, waiter: self)
        // Where no board was made there is none to ask for the state.
        if self.inside == nil { self.inside = inside }
    }

    /// Goes on where the board is, if it is registered there.
    private func cross(_ route: BoardRoute) {
        guard let motherboard = route.destination(of: self) else {
            // Denied, unless what the route leads to is about to go.
            return deny(by: route.gateBoard, .ownerGone)
        }
        let there = motherboard.entry(for: id)
        let isKnown = there.isKnown
        guard canProceed() else { return }
        guard isKnown else { return deny(by: route.gateBoard, .notInside) }
        move(to: there)
        proceed()
    }

    /// Lets go of what it waited with.
    private func release() {
        // First, because without it nothing reads the input any more, not even from the input's own `deinit`.
        entry = nil
        listener = nil
        input = nil
        // A handle may keep the waiter, which must not keep what belonged to a user.
        scope = nil
    }

    override func close(_ denial: Denial?) {
        let (entry, listener) = (entry, listener)
        release()
        guard let entry, let listener else { return }
        switch denial?.reason {
        case nil: listener.finish(with: .cancelled)
        case .ownerGone: listener.finish(atEndOf: entry)
        default: listener.finish(throwing: denial.map(BoardError.denied))
        }
    }

    override var snapshotEntry: BoardSnapshot.Entry? {
        guard asker == nil, entry != nil, let run, let input else { return nil }
        return BoardSnapshot.Entry(
            board: AnyBoardID(id),
            gate: run.gateBoard.anyID,
            input: WrittenPayload(input),
            isAwaited: isPrivate
        )
    }
}
