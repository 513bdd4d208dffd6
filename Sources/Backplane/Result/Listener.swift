/// Whoever awaits what one activation sends.
final class Listener<Contract: BoardContract> {
    /// Whether the outputs are this listener's alone and reach no flow.
    let isPrivate: Bool
    let channel = Channel<Contract.Output>()

    init(isPrivate: Bool) {
        self.isPrivate = isPrivate
    }

    /// The next output; nil at the end, and when the waiting task is cancelled.
    ///
    /// Here, not only in the channel, because waiting is what keeps the listener: the board holds it weakly.
    func next(isolation: isolated (any Actor)?) async throws -> Contract.Output? {
        try await channel.next(isolation: isolation)
    }

    /// Ends the listening with the board.
    func finish(_ completion: Completion) {
        if case .failed(let error) = completion {
            channel.finish(throwing: error)
        } else {
            channel.finish()
        }
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
