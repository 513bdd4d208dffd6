import BackplaneConcurrency

/// An activation on its way through the gates in front of its board.
class Entrant {
    final fileprivate(set) var state: ActivationState
    /// The run in which it waits.
    final var run: AnyGateRun?
    /// The run for which its board is a front; nil of an ordinary activation.
    final let asker: AnyGateRun?
    /// The runs that it acts for.
    final let actsFor: ActsFor?
    /// Tells its place among activations.
    final let number: UInt64
    /// The gates that it has passed or waits at.
    private final var passed: [Gate] = []
    private final var waiters: Waiters?

    fileprivate init(_ state: ActivationState, number: UInt64 = 0, asker: AnyGateRun? = nil, actsFor: ActsFor? = nil) {
        self.state = state
        self.number = number
        self.asker = asker
        self.actsFor = actsFor
    }

    /// The record of the board that is to be entered; nil when it does not wait any more.
    var record: AnyRecord? { nil }
    var isPrivate: Bool { false }
    /// What waits, as a snapshot has it; nil when it does not wait any more.
    var snapshotEntry: BoardSnapshot.Entry? { nil }
    /// The input, for those who record events.
    var payload: Any { () }
    func enter() {}
    /// Ends it without entering: lets go of the input and tells whoever awaits the board.
    func close(_ denial: Denial?) {}

    /// Returns whether it waits and may still enter; gives up where the motherboard has ended.
    final func canProceed() -> Bool {
        guard state == .waiting, let record else { return false }
        if record.standing == .open { return true }
        settle(.ownerGone)
        close(Denial(of: record.anyID, by: record.anyID, .ownerGone))
        asker?.denyAll(.ownerGone)
        return false
    }

    /// Asks one gate after the other, and enters behind the last.
    final func proceed() {
        while canProceed() {
            let gate = nextGate
            // What is found anew lets go of what was found before, which may call back.
            guard canProceed() else { return }
            guard let gate else { return enter() }
            passed.append(gate)
            if actsFor?.pending.contains(where: { $0.front === gate.front }) ?? false { continue }
            if case .waits = gate.ask(for: self) { return }
        }
    }

    /// The first gate, of those that are in force now, that it has not come to.
    private final var nextGate: Gate? {
        record?.gatesInForce.first { gate in !passed.contains { $0 === gate } }
    }

    final func wait(in run: AnyGateRun) {
        self.run = run
        record?.raise(.waiting, isPrivate: isPrivate, gate: run.front.anyID, payload: payload) {
            "Waits at gate '\(run.front.anyID)'."
        }
    }

    /// The front has opened for this activation.
    final func pass(_ front: AnyRecord) {
        guard canProceed() else { return }
        record?.raise(.gateOpened, isPrivate: isPrivate, gate: front.anyID) { "Gate '\(front.anyID)' opened." }
        proceed()
    }

    final func deny(by front: AnyRecord, _ reason: Denial.Reason) {
        guard state == .waiting, let record else { return }
        let denial = Denial(of: record.anyID, by: front.anyID, reason)
        settle(.denied(denial))
        record.raise(.gateDenied, isDerived: true, isPrivate: isPrivate, gate: front.anyID) { denial.description }
        if asker == nil, !isPrivate, reason != .ownerGone, record.standing == .open {
            record.motherboard.hearDenial(denial)
        }
        close(denial)
        asker?.wasDenied(denial)
    }

    /// The motherboard ends: nothing is entered on it any more.
    final func denyAtEnd() {
        guard let record else { return }
        let run = run
        self.run = nil
        deny(by: run?.front ?? record, .ownerGone)
        run?.remove(self)
    }

    /// Gives up waiting.
    final func leave() {
        guard state == .waiting else { return }
        settle(.completed)
        let run = run
        self.run = nil
        close(nil)
        run?.remove(self)
    }

    fileprivate final func settle(_ state: ActivationState) {
        self.state = state
        waiters?.resumeAll()
    }

    /// Suspends until it does not wait any more, or the calling task is cancelled.
    final func settled(isolation: isolated (any Actor)?) async {
        guard state == .waiting else { return }
        let waiters = waiters ?? Waiters()
        self.waiters = waiters
        await waiters.wait(isolation: isolation)
    }

    /// The circle that would be closed if it were asked at `front` for the run it stands for; nil if there is none.
    final func circle(closedAt front: AnyRecord) -> [AnyBoardID]? {
        var path: [AnyBoardID] = [front.anyID]
        var next = asker
        while let run = next {
            path.append(run.front.anyID)
            if run.front === front { return path.reversed() }
            next = run.cause
        }
        return nil
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

    /// Where to enter with what, as long as it waits.
    private var waiting: Waiting?
    /// The activation proper, once it has entered.
    private(set) var inside: Activation<Contract>?

    init(
        at record: Record<Contract>,
        with input: Contract.Input,
        for listener: Listener<Contract>? = nil,
        asker: GateRun<Contract>? = nil,
        actsFor: ActsFor?
    ) {
        id = record.id
        waiting = Waiting(record: record, input: input, listener: listener)
        super.init(.waiting, number: record.turns.nextGeneration(), asker: asker, actsFor: actsFor)
    }

    /// One that does not wait.
    init(_ id: BoardID<Contract>, state: ActivationState) {
        self.id = id
        super.init(state)
    }

    override var record: AnyRecord? { waiting?.record }
    override var isPrivate: Bool { waiting?.listener?.isPrivate ?? false }
    override var payload: Any { waiting?.input ?? () }

    /// The input it waits with, for the question that a gate asks.
    var input: Contract.Input? { waiting?.input }

    override func enter() {
        guard let entering = waiting.take() else { return }
        if let asker {
            settle(.completed)
            asker.boardEntrant = nil
            let run = downcast(asker, to: GateRun<Contract>.self)
            entering.record.turns.derive { entering.record.enter(for: run, with: entering.input) }
            return
        }
        let inside = entering.record.activateUngated(with: entering.input, for: entering.listener, actsFor: actsFor)
        self.inside = inside
        // Given up while the board was being activated, by something that this caused.
        let hasLeft = state != .waiting
        settle(.active)
        if hasLeft { inside.complete(.cancelled) }
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
