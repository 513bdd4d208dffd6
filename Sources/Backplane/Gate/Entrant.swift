import BackplaneConcurrency

/// An activation on its way through the gates in front of its board.
class Entrant {
    final fileprivate(set) var state: ActivationState
    /// The run in which it waits.
    final var run: GateRun?
    /// The run for which its board is a front; nil of an ordinary activation.
    final let asker: GateRun?
    /// The runs that it acts for.
    final let purpose: Purpose?
    /// Its place among activations.
    final let number: UInt64
    /// The record of the board that is to be entered; nil when it does not wait any more.
    final fileprivate(set) var record: AnyRecord?
    /// Whether the result is awaited.
    final let isPrivate: Bool
    /// Whether it is to enter a scope, and nobody has brought the input yet.
    final fileprivate(set) var needsInput = false
    /// The board of the scope that it is let into.
    final var scope: AnySlotCore?
    /// The gate that it came to last, and those before.
    private final var gate: Gate?
    private final var passed: [Gate] = []
    private final var waiters: Waiters?
    /// Whether it is in the tree's list of waiting activations.
    private final var isListed = false

    fileprivate init(
        _ state: ActivationState,
        at record: AnyRecord? = nil,
        isPrivate: Bool = false,
        asker: GateRun? = nil,
        purpose: Purpose? = nil
    ) {
        self.state = state
        self.record = record
        self.isPrivate = isPrivate
        number = record?.turns.nextGeneration() ?? 0
        self.asker = asker
        self.purpose = purpose
    }

    /// Its entry in a snapshot; nil when it does not wait any more.
    var snapshotEntry: BoardSnapshot.Entry? { nil }
    /// Raises the event that it waits at a front, with its input.
    func raiseWaiting(at front: AnyBoardID) {}
    func enter() {}
    /// Ends it without entering: lets go of the input and finishes the listener.
    func close(_ denial: Denial?) {}

    /// Returns whether it waits and may still enter; denies it if the motherboard has ended.
    final func canProceed() -> Bool {
        guard state == .waiting, let record else { return false }
        if record.standing == .open { return true }
        deny(by: gate?.front ?? record, .ownerGone)
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

    /// Whether it acts for a run of the gate's front, which would otherwise wait for itself.
    private final func isExempt(from gate: Gate) -> Bool {
        guard let purpose, purpose.openRuns.contains(where: { $0.front === gate.front }) else { return false }
        // A scope is not entered without the gates in front of it, whoever asks; nor is what is inside without the scope.
        return asker?.kind != .scope && !(gate is Passage)
    }

    /// Whether the scope that it is to enter can be entered; denies it if not.
    private final var canBeEntered: Bool {
        guard let record else { return false }
        if !record.isKnown {
            record.motherboard.reportMissing(record.anyID, for: purpose)
            deny(by: record, .noSuchGate)
        } else if !record.isElsewhere, record.entrance == nil {
            deny(by: record, .noEntrance)
        }
        return canProceed()
    }

    /// The first gate in force now that it has not reached yet.
    private final var nextGate: Gate? {
        if needsInput, let record, !record.isElsewhere { return record.entrance }
        return record?.gatesInForce.first { gate in gate !== self.gate && !passed.contains { $0 === gate } }
    }

    /// Goes on at another motherboard: that of a record with the same contract.
    final func move(to record: AnyRecord) {
        let earlier = (self.record, gate, passed, scope)
        self.record = record
        gate = nil
        passed = []
        scope = nil
        withExtendedLifetime(earlier) {}
    }

    /// Lists it as waiting and raises the event, before a gate is asked.
    final func beginWaiting(at front: AnyRecord) {
        if !isListed, let record {
            isListed = true
            record.turns.waiting.append(self)
        }
        // The override looks up a generic type, which costs as much as three messages.
        if front.turns.observerCount > 0 { raiseWaiting(at: front.anyID) }
    }

    /// Goes on after a front has opened for this activation.
    final func pass(_ front: AnyRecord) {
        guard canProceed() else { return }
        record?.raise(.gateOpened, isPrivate: isPrivate, gate: front.anyID) { "Gate '\(front.anyID)' opened." }
        proceed()
    }

    final func deny(by front: AnyRecord, _ reason: Denial.Reason) {
        guard state == .waiting, let record else { return }
        let denial = Denial(of: record.anyID, by: front.anyID, reason)
        settle(.denied(denial), in: record.turns)
        record.raise(.gateDenied, isDerived: true, isPrivate: isPrivate, gate: front.anyID) { denial.description }
        if asker == nil, !isPrivate, reason != .ownerGone, record.standing == .open {
            record.turns.enqueue(PendingDenial(denial, on: record.motherboard))
        }
        close(denial)
        asker?.wasDenied(denial)
    }

    /// Denies it because its motherboard ends.
    final func denyAtEnd() {
        guard let record else { return }
        let run = run
        self.run = nil
        deny(by: gate?.front ?? record, .ownerGone)
        run?.remove(self)
    }

    /// Gives up waiting.
    final func leave() {
        guard state == .waiting, let record else { return }
        settle(.completed, in: record.turns)
        let run = run
        self.run = nil
        close(nil)
        asker?.denyAll(.gateCancelled)
        run?.remove(self)
    }

    fileprivate final func settle(_ state: ActivationState, in turns: Turns) {
        self.state = state
        if isListed { turns.removeWaiting(self) }
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

    /// Returns the circle that a new run at `front` would close; nil if there is none.
    ///
    /// There is one if a run of that front is among the causes, directly or through others.
    final func circle(closedAt front: AnyRecord) -> [AnyBoardID]? {
        causes.lazy.compactMap { $0.path(from: front) }.first.map { $0 + [front.anyID] }
    }
}

/// An ``Entrant`` with the input it will enter with.
final class TypedEntrant<Contract: BoardContract>: Entrant {
    let id: BoardID<Contract>

    /// The input it waits with, for the question that a gate asks.
    private(set) var input: Contract.Input?
    private var listener: Listener<Contract>?
    /// The activation proper, once it has entered.
    var inside: Activation<Contract>?

    required init(
        at record: Record<Contract>,
        with input: Contract.Input,
        for listener: Listener<Contract>? = nil,
        asker: GateRun? = nil,
        purpose: Purpose?
    ) {
        id = record.id
        self.input = input
        self.listener = listener
        super.init(
            .waiting,
            at: record,
            isPrivate: listener?.isPrivate ?? false,
            asker: asker,
            purpose: purpose
        )
    }

    /// An entrant that is to enter a scope with what its entrance brings.
    init(entering record: Record<Contract>, for run: GateRun) {
        id = record.id
        super.init(.waiting, at: record, asker: run, purpose: run.purpose)
        needsInput = true
    }

    /// Takes what the scope's entrance has brought.
    func take(_ input: Contract.Input) {
        self.input = input
        needsInput = false
    }

    /// An entrant that does not wait.
    init(_ id: BoardID<Contract>, state: ActivationState) {
        self.id = id
        super.init(state)
    }

    override func raiseWaiting(at front: AnyBoardID) {
        guard let record else { return }
        guard let input else {
            record.raise(.waiting, isPrivate: isPrivate, gate: front) { "Waits at its entrance '\(front)'." }
            return
        }
        record.raise(.waiting, isPrivate: isPrivate, gate: front, payload: input) { "Waits at gate '\(front)'." }
    }

    override func enter() {
        guard let record else { return }
        let typed = downcast(record, to: Record<Contract>.self)
        if let passage = typed.passage { return cross(passage) }
        guard let input else { return }
        let turns = record.turns
        let listener = listener
        release()
        if let asker {
            settle(.completed, in: turns)
            asker.boardEntrant = nil
            return turns.derive { typed.enter(for: asker, with: input) }
        }
        settle(.active, in: turns)
        let inside = typed.activateUngated(with: input, for: listener, purpose: purpose, entrant: self)
        // Where no board was made there is none to ask for the state.
        if self.inside == nil { self.inside = inside }
    }

    /// Goes on where the board is, if it is registered there.
    private func cross(_ passage: Passage) {
        guard let motherboard = passage.destination(of: self) else {
            // Denied, unless what the passage leads to is about to go.
            return deny(by: passage.front, .ownerGone)
        }
        let there = motherboard.record(for: id)
        let isKnown = there.isKnown
        guard canProceed() else { return }
        guard isKnown else { return deny(by: passage.front, .notInside) }
        move(to: there)
        proceed()
    }

    /// Lets go of what it waited with.
    private func release() {
        // First, because without it nothing reads the input any more, not even from the input's own `deinit`.
        record = nil
        listener = nil
        input = nil
        // A handle may keep the entrant, which must not keep what belonged to a user.
        scope = nil
    }

    override func close(_ denial: Denial?) {
        let (record, listener) = (record, listener)
        release()
        guard let record, let listener else { return }
        switch denial?.reason {
        case nil: listener.finish(with: .cancelled)
        case .ownerGone: listener.finish(atEndOf: record)
        default: listener.finish(throwing: denial.map(BoardError.denied))
        }
    }

    override var snapshotEntry: BoardSnapshot.Entry? {
        guard asker == nil, record != nil, let run, let input else { return nil }
        return BoardSnapshot.Entry(
            board: AnyBoardID(id),
            gate: run.front.anyID,
            input: WrittenPayload(input),
            isAwaited: isPrivate
        )
    }
}
