/// An output that was sent during a turn.
final class PendingOutput<Contract: BoardContract>: Delivery {
    private let output: Contract.Output
    private let liveBoard: LiveBoard<Contract>
    private let listener: Listener<Contract>?
    private let purpose: Purpose?

    required init(_ output: Contract.Output, from liveBoard: LiveBoard<Contract>) {
        self.output = output
        self.liveBoard = liveBoard
        let hasExtras = liveBoard.hasExtras
        listener = hasExtras ? liveBoard.listener : nil
        purpose = hasExtras ? liveBoard.purpose : nil
    }

    override var sender: AnyBoardID? { liveBoard.sender }
    override func deliver() { liveBoard.entry.deliver(output, from: liveBoard, to: listener, for: purpose) }
    override func raise(_ kind: BoardEvent.Kind, _ message: () -> String) { liveBoard.raise(kind, message) }
}
