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
    /// Where to enter with what, as long as it waits.
    private var waiting: (record: Record<Contract>, input: Contract.Input)?
    /// The activation proper, once the gate has opened.
    private(set) var inside: Activation<Contract>?

    init(_ id: BoardID<Contract>, record: Record<Contract>, input: Contract.Input) {
        self.id = id
        waiting = (record, input)
        super.init(.waiting)
    }

    /// One that does not wait.
    init(_ id: BoardID<Contract>, state: ActivationState) {
        self.id = id
        super.init(state)
    }

    override func enter() {
        guard let (record, input) = waiting.take() else { return }
        guard record.standing == .open else {
            state = .ownerGone
            return
        }
        record.raise(.gateOpened) { "The gate in front of the board opened." }
        let inside = record.activateUngated(with: input)
        self.inside = inside
        // Given up while the board was being activated, by something that this caused.
        if state != .waiting { inside.complete(.cancelled) }
    }

    override func deny(_ denial: Denial) {
        guard state == .waiting, let (record, _) = waiting.take() else { return }
        state = .denied(denial)
        record.raise(.gateDenied) { denial.description }
    }

    /// Gives up waiting.
    func leave() {
        guard state == .waiting else { return }
        waiting = nil
        state = .completed
    }
}
