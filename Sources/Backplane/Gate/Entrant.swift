/// An activation that waits at a gate.
class Entrant {
    final fileprivate(set) var state: ActivationState

    init(_ state: ActivationState) {
        self.state = state
    }

    func enter() {}
    func deny(_ denial: Denial) {}
    /// What waits, as a snapshot has it; nil when it has given up.
    var snapshotEntry: BoardSnapshot.Entry? { nil }
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
    /// The activation proper, once the gate has opened.
    private(set) var inside: Activation<Contract>?

    init(
        _ id: BoardID<Contract>,
        record: Record<Contract>,
        input: Contract.Input,
        listener: Listener<Contract>?
    ) {
        self.id = id
        waiting = Waiting(record: record, input: input, listener: listener)
        super.init(.waiting)
    }

    /// One that does not wait.
    init(_ id: BoardID<Contract>, state: ActivationState) {
        self.id = id
        super.init(state)
    }

    override func enter() {
        guard let entering = waiting.take() else { return }
        guard entering.record.standing == .open else {
            state = .ownerGone
            entering.listener?.finish(throwing: BoardError.ownerGone(AnyBoardID(id)))
            return
        }
        entering.record.raise(.gateOpened, isPrivate: entering.listener?.isPrivate ?? false) {
            "The gate in front of the board opened."
        }
        let inside = entering.record.activateUngated(with: entering.input, for: entering.listener)
        self.inside = inside
        // Given up while the board was being activated, by something that this caused.
        if state != .waiting { inside.complete(.cancelled) }
    }

    override func deny(_ denial: Denial) {
        guard state == .waiting, let denied = waiting.take() else { return }
        state = .denied(denial)
        denied.record.raise(.gateDenied, isDerived: true, isPrivate: denied.listener?.isPrivate ?? false) {
            denial.description
        }
        denied.listener?.finish(throwing: BoardError.denied(AnyBoardID(id), denial))
    }

    override var snapshotEntry: BoardSnapshot.Entry? {
        guard let waiting else { return nil }
        return BoardSnapshot.Entry(
            board: AnyBoardID(id),
            isWaiting: true,
            input: WrittenPayload(waiting.input),
            isAwaited: waiting.listener?.isPrivate ?? false
        )
    }

    /// Gives up waiting.
    func leave() {
        guard state == .waiting else { return }
        state = .completed
        waiting.take()?.listener?.finish(with: .cancelled)
    }
}
