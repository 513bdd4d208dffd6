/// Whoever awaits what one activation sends.
final class Listener<Contract: BoardContract>: Channel<Contract.Output> {
    /// Whether the outputs are this listener's alone and reach no flow.
    let isPrivate: Bool

    init(isPrivate: Bool) {
        self.isPrivate = isPrivate
    }

    /// Ends the listening because the motherboard has ended: in good order, which cancels, or by going.
    func finish(atEndOf entry: AnyBoardEntry) {
        let isReleased = entry.standing == .orphaned
        finish(throwing: isReleased ? BoardError.ownerGone(entry.anyID) : CancellationError())
    }

    /// Ends the listening with the board.
    func finish(with completion: Completion) {
        if case .failed(let error) = completion { finish(throwing: error) } else { finish(throwing: nil) }
    }
}

/// What ends the listening to an activation that is superseded, behind the outputs it has sent.
final class EndOfListening: Delivery {
    private let finish: () -> Void

    init(_ finish: @escaping () -> Void) {
        self.finish = finish
    }

    override func deliver() { finish() }
}
