extension Slot {
    /// Sends a last output and ends the board in one step.
    ///
    /// The board is already removed when the output is delivered. So if the output causes an
    /// activation of the same ID, this creates a new board. For example, a flow activates the ID,
    /// or a gate asks it again.
    ///
    /// If you call ``send(_:)`` and then ``complete(_:)``, the output is delivered while this board
    /// is still live. The new activation would then reach this board, and end with it.
    ///
    /// After completion the output is dropped and raises ``BoardEvent/Kind/droppedOutput``.
    public func complete(_ completion: Completion = .done, sending output: Contract.Output) {
        guard liveBoard.obeysCaller else { return liveBoard.dropped("an output") }
        liveBoard.entry.scheduler.turn {
            liveBoard.send(output)
            liveBoard.end(completion)
        }
    }
}

extension Board {
    /// Sends a last output and ends the board in one step: see ``Slot/complete(_:sending:)``.
    public func complete(_ completion: Completion = .done, sending output: Contract.Output) {
        slot.complete(completion, sending: output)
    }
}
