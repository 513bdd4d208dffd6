/// A channel for the outputs of one activation, read by the caller that awaits them.
final class Listener<Contract: BoardContract>: Channel<Contract.Output> {
    /// Whether the outputs reach only this listener and no flow.
    let isPrivate: Bool

    init(isPrivate: Bool) {
        self.isPrivate = isPrivate
    }

    /// Finishes the channel because the motherboard has ended.
    ///
    /// The reader receives ``BoardError/Code/ownerGone`` if the motherboard was released, and a
    /// `CancellationError` if it completed.
    func finish(atEndOf entry: AnyBoardEntry) {
        let isReleased = entry.standing == .orphaned
        finish(throwing: isReleased ? BoardError.ownerGone(entry.anyID) : CancellationError())
    }

    /// Finishes the channel because the board has ended.
    func finish(with completion: Completion) {
        if case .failed(let error) = completion { finish(throwing: error) } else { finish(throwing: nil) }
    }
}
