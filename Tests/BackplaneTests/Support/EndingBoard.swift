import Backplane

/// A board that tells when it is activated and when it ends.
final class EndingBoard<Contract: BoardContract>: Board {
    let slot: Slot<Contract>
    private let onActivate: (EndingBoard, Contract.Input) -> Void
    private let onEnd: (EndingBoard, Completion) -> Void

    init(
        slot: Slot<Contract>,
        onActivate: @escaping (EndingBoard, Contract.Input) -> Void = { _, _ in },
        onEnd: @escaping (EndingBoard, Completion) -> Void
    ) {
        self.slot = slot
        self.onActivate = onActivate
        self.onEnd = onEnd
    }

    func activate(with input: Contract.Input) { onActivate(self, input) }
    func receive(_ command: Contract.Command) {}
    func didEnd(_ completion: Completion) { onEnd(self, completion) }
}
