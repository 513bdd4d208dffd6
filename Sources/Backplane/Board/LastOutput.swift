extension Slot {
    /// Sends a last output and ends the board in one step.
    ///
    /// The board is already removed when the output is delivered. So a new activation of its ID,
    /// caused by the output, creates a new board. Such an activation comes from a flow, or from a
    /// board that passed a gate and then meets the same gate again.
    ///
    /// With ``send(_:)`` and then ``complete(_:)``, each call delivers before it returns. The new
    /// activation would then reach this board and end with it.
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
