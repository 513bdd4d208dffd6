/// An activation that waits at a gate.
class Entrant {
    final fileprivate(set) var state = ActivationState.waiting

    func enter() {}
    func deny(_ denial: Denial) {}
}

/// An ``Entrant`` with the input it will enter with.
final class TypedEntrant<Contract: BoardContract>: Entrant {
    let record: Record<Contract>
    private var input: Contract.Input?
    /// The activation proper, once the gate has opened.
    private(set) var inside: Activation<Contract>?

    init(record: Record<Contract>, input: Contract.Input) {
        self.record = record
        self.input = input
    }

    override func enter() {
        guard let input = input.take() else { return }
        guard record.acceptsActivations else {
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
        guard state == .waiting else { return }
        input = nil
        state = .denied(denial)
        record.raise(.gateDenied) { denial.description }
    }

    /// Gives up waiting.
    func leave() {
        guard state == .waiting else { return }
        input = nil
        state = .completed
    }
}
