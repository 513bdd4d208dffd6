import BackplaneConcurrency

/// An activation on its way through the gates in front of its board.
class Entrant {
    final fileprivate(set) var state: ActivationState
    /// The run in which it waits.
    final var run: AnyGateRun?
    /// The run that its board is to answer as a front; nil for an ordinary activation.
    final let asker: AnyGateRun?
    /// The runs that it acts for.
    final let purpose: Purpose?
    /// Its place among activations.
    final let number: UInt64
    /// The gates that it has passed or waits at.
    private final var passed: [Gate] = []
    private final var waiters: Waiters?
    /// Whether it is in the tree's list of waiting activations.
    private final var isListed = false

    fileprivate init(_ state: ActivationState, number: UInt64 = 0, asker: AnyGateRun? = nil, purpose: Purpose? = nil) {
        self.state = state
        self.number = number
        self.asker = asker
        self.purpose = purpose
    }

    /// The record of the board behind the gates; nil when it does not wait any more.
    var record: AnyRecord? { nil }
    var isPrivate: Bool { false }
    /// Its entry in a snapshot; nil when it does not wait any more.
    var snapshotEntry: BoardSnapshot.Entry? { nil }
    /// The input, for recorded events.
    var payload: Any { () }
    func enter() {}
    /// Ends it without entering: lets go of the input and finishes the listener.
    func close(_ denial: Denial?) {}

    /// Returns whether it waits and may still enter; denies it if the motherboard has ended.
    final func canProceed() -> Bool {
        guard state == .waiting, let record else { return false }
        if record.standing == .open { return true }
        deny(by: passed.last?.front ?? record, .ownerGone)
        return false
    }

    /// Asks one gate after the other, and enters after the last.
    final func proceed() {
        while canProceed() {
            guard let gate = nextGate else { return enter() }
            passed.append(gate)
            if purpose?.openRuns.contains(where: { $0.front === gate.front }) ?? false { continue }
            if case .waits = gate.ask(for: self) { return }
        }
    }

    /// The first gate in force now that it has not reached yet.
    private final var nextGate: Gate? {
        record?.gatesInForce.first { gate in !passed.contains { $0 === gate } }
    }

    /// Lists it as waiting and raises the event, before a gate is asked.
    final func beginWaiting(at front: AnyRecord) {
        if !isListed, let record {
            isListed = true
            record.turns.waiting.append(self)
        }
        record?.raise(.waiting, isPrivate: isPrivate, gate: front.anyID, payload: payload) {
            "Waits at gate '\(front.anyID)'."
        }
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
        deny(by: passed.last?.front ?? record, .ownerGone)
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

    /// The runs that caused it: the run it is the front of, or else the runs it acts for.
    final var causes: [AnyGateRun] { asker.map { [$0] } ?? purpose?.openRuns ?? [] }

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

    private struct Waiting {
        let record: Record<Contract>
        let input: Contract.Input
        let listener: Listener<Contract>?
    }

    /// The record, input and listener to enter with, while it waits.
    private var waiting: Waiting?
    /// The activation proper, once it has entered.
    var inside: Activation<Contract>?

    init(
        at record: Record<Contract>,
        with input: Contract.Input,
        for listener: Listener<Contract>? = nil,
        asker: GateRun<Contract>? = nil,
        purpose: Purpose?
    ) {
        id = record.id
        waiting = Waiting(record: record, input: input, listener: listener)
        super.init(.waiting, number: record.turns.nextGeneration(), asker: asker, purpose: purpose)
    }

    /// An entrant that does not wait.
    init(_ id: BoardID<Contract>, state: ActivationState) {
        self.id = id
        super.init(state)
    }

    override var record: AnyRecord? { waiting?.record }
    override var isPrivate: Bool { waiting?.listener?.isPrivate ?? false }
    override var payload: Any { waiting?.input ?? () }

    /// The input it waits with, from which a gate may make its question.
    var input: Contract.Input? { waiting?.input }

    override func enter() {
        guard let entering = waiting.take() else { return }
        if let asker {
            settle(.completed, in: entering.record.turns)
            asker.boardEntrant = nil
            let run = downcast(asker, to: GateRun<Contract>.self)
            entering.record.turns.derive { entering.record.enter(for: run, with: entering.input) }
            return
        }
        settle(.active, in: entering.record.turns)
        let inside = entering.record.activateUngated(
            with: entering.input,
            for: entering.listener,
            purpose: purpose,
            entrant: self
        )
        // If no board was made, this has the state.
        if self.inside == nil { self.inside = inside }
    }

    override func close(_ denial: Denial?) {
        guard let closed = waiting.take(), let listener = closed.listener else { return }
        switch denial?.reason {
        case nil: listener.finish(with: .cancelled)
        case .ownerGone: listener.finish(atEndOf: closed.record)
        default: listener.finish(throwing: denial.map(BoardError.denied))
        }
    }

    override var snapshotEntry: BoardSnapshot.Entry? {
        guard asker == nil, let waiting, let run else { return nil }
        return BoardSnapshot.Entry(
            board: AnyBoardID(id),
            gate: run.front.anyID,
            input: WrittenPayload(waiting.input),
            isAwaited: waiting.listener?.isPrivate ?? false
        )
    }
}
