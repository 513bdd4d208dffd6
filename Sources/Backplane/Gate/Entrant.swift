/// An activation that waits at a gate.
class Entrant {
    final fileprivate(set) var state: ActivationState

    init(_ state: ActivationState) {
        self.state = state
    }

    func enter() {}
    func deny(_ denial: Denial) {}
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
        entering.record.raise(.gateOpened, isDerived: true) { "The gate in front of the board opened." }
        let inside = entering.record.activateUngated(with: entering.input, for: entering.listener)
        self.inside = inside
        // Given up while the board was being activated, by something that this caused.
        if state != .waiting { inside.complete(.cancelled) }
    }

    override func deny(_ denial: Denial) {
        guard state == .waiting, let denied = waiting.take() else { return }
        state = .denied(denial)
        denied.record.raise(.gateDenied, isDerived: true) { denial.description }
        denied.listener?.finish(throwing: BoardError.denied(AnyBoardID(id), denial))
    }

    /// Gives up waiting.
    func leave() {
        guard state == .waiting else { return }
        state = .completed
        waiting.take()?.listener?.finish(with: .cancelled)
    }
}
