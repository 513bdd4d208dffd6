extension Slot {
    /// Sends a last output and ends the board, as one.
    ///
    /// When the output is delivered, the board has been removed: whoever activates its identity in answer (a flow, or a board
    /// that a gate has let in and that meets the same gate again) gets a fresh board. With ``send(_:)`` and then
    /// ``complete(_:)``, each of which delivers before it returns, that activation would reach this board and end with it.
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
    /// Sends a last output and ends the board, as one: see ``Slot/complete(_:sending:)``.
    public func complete(_ completion: Completion = .done, sending output: Contract.Output) {
        slot.complete(completion, sending: output)
    }
}
