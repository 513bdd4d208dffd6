/// The access of a replay, which is in `BackplaneTesting`, to a live board.
///
/// The class of the board stays internal, so that the optimizer knows its subclasses. With a class
/// that other modules can name, an activation that waits at a gate needs 19 % more instructions.
package struct ReplayedBoard {
    fileprivate let board: AnyLiveBoard

    package var instance: BoardInstance { board.instance }
    package var isLive: Bool { board.isLive }
    package var motherboard: Motherboard { board.nestedMotherboard() }
    /// The motherboard inside a scope that has one already.
    package var insideOfScope: Motherboard? { board.untypedEntry.isScope ? board.nestedIfAny : nil }

    package func isSame(as other: ReplayedBoard?) -> Bool { board === other?.board }
    package func complete(_ completion: Completion) { board.complete(completion) }
    /// Sends an output that was written down; returns `false` if the output cannot be read.
    package func send(reading output: any ReadablePayload) -> Bool { board.send(reading: output) }
    /// Passes a written-down command to the board; returns `false` if the command cannot be read.
    package func receive(reading command: any ReadablePayload) -> Bool { board.receive(reading: command) }
}

/// The access of a replay to the entry of a board; its class stays internal, as that of a
/// `ReplayedBoard`.
package struct ReplayedEntry {
    fileprivate let entry: AnyBoardEntry

    package var isRegistered: Bool { entry.isRegistered }
    package var isElsewhere: Bool { entry.isElsewhere }

    package func isBoard<Contract: BoardContract>(of contract: Contract.Type) -> Bool { entry is BoardEntry<Contract> }

    /// Activates the board with a written-down input.
    ///
    /// - Parameters:
    ///   - input: the written form of the input.
    ///   - isPrivate: whether the board is made for one caller.
    ///   - listeners: receives the listener of that caller. Keep it as long as the caller listens.
    /// - Returns: `false` if the input cannot be read.
    package func activate(
        reading input: any ReadablePayload,
        isPrivate: Bool,
        adding listeners: inout [AnyObject]
    ) -> Bool {
        guard let activated = entry.activate(reading: input, isPrivate: isPrivate) else { return false }
        if let listener = activated.listener { listeners.append(listener) }
        return true
    }

    /// Sends a written-down command to the live boards; returns `false` if it cannot be read.
    package func receive(reading command: any ReadablePayload) -> Bool { entry.receive(reading: command) }
    /// Registers a board that does nothing.
    package func registerStandIn(reuse: BoardReuse) { entry.registerStandIn(reuse: reuse) }
}

extension Motherboard {
    /// Returns the entry with that name, which it creates if an ancestor knows the contract.
    package func replayedEntry(named name: String) -> ReplayedEntry? {
        entry(named: name).map { ReplayedEntry(entry: $0) }
    }

    /// Observes events with their boards and with the values that were sent.
    package func observeReplay(_ observer: @escaping (BoardEvent, ReplayedBoard?, Any) -> Void) -> Registration {
        observeLiveBoards { event, board, value in observer(event, board.map { ReplayedBoard(board: $0) }, value) }
    }

    /// Sends a written-down action up the chain.
    ///
    /// Returns `nil` if no motherboard up the chain handles actions of that type. Returns `false`
    /// if the action cannot be read.
    package func sendAction(
        _ typeName: String,
        reading action: any ReadablePayload,
        from sender: ReplayedBoard?
    ) -> Bool? {
        sendAction(typeName, action, from: sender?.board)
    }
}
