extension Motherboard {
    /// Activates a board, and makes it first if necessary.
    ///
    /// The outermost call returns when everything that it caused synchronously has been delivered.
    /// If gates are in front of the board, the activation waits for them. This method never throws:
    /// the activation's ``Activation/state`` holds the result. To wait until the gates have
    /// decided, use ``Activation/settled(isolation:)``.
    @discardableResult
    public func activate<Contract>(_ id: BoardID<Contract>, with input: Contract.Input) -> Activation<Contract> {
        activate(id, with: input, from: nil)
    }

    /// Activates a board that needs no input.
    @discardableResult
    public func activate<Contract>(_ id: BoardID<Contract>) -> Activation<Contract> where Contract.Input == Void {
        activate(id, with: (), from: nil)
    }

    func activate<Contract>(
        _ id: BoardID<Contract>,
        with input: Contract.Input,
        for listener: Listener<Contract>? = nil,
        from sender: AnyLiveBoard?
    ) -> Activation<Contract> {
        guard !isCompleted else { return refuse(id, for: listener) }
        // A caller that awaits the result suspends next, so the work may start at once. The reader
        // of a sequence suspends later.
        if let listener, listener.isPrivate {
            return scheduler.turnStartingWork { enter(id, with: input, for: listener, from: sender) }
        }
        let isOutermost = scheduler.openTurn()
        defer { if isOutermost { scheduler.closeTurn() } }
        return enter(id, with: input, for: listener, from: sender)
    }

    private func refuse<Contract>(
        _ id: BoardID<Contract>,
        for listener: Listener<Contract>?
    ) -> Activation<Contract> {
        listener?.finish(throwing: BoardError.ownerGone(AnyBoardID(id)))
        return Activation(id, .ownerGone)
    }

    @inline(__always)
    private func enter<Contract>(
        _ id: BoardID<Contract>,
        with input: Contract.Input,
        for listener: Listener<Contract>?,
        from sender: AnyLiveBoard?
    ) -> Activation<Contract> {
        guard let entry = existingEntry(for: id) ?? knownEntry(for: id) else {
            if isCompleted { return refuse(id, for: listener) }
            listener?.finish(throwing: BoardError.noSuchBoard(AnyBoardID(id)))
            reportMissing(AnyBoardID(id), as: Contract.self, for: scheduler.gates.hasRuns ? purpose(sender) : nil)
            return Activation(id, .noSuchBoard)
        }
        return entry.activate(with: input, for: listener, from: sender)
    }

    /// Sends a command to the live boards of an ID on this motherboard.
    ///
    /// The boards handle the command before this method returns. This method never makes a board.
    /// It does not reach nested motherboards, except for a board that is declared inside a scope.
    @discardableResult
    public func send<Contract>(_ command: Contract.Command, to id: BoardID<Contract>) -> CommandResult {
        guard !isCompleted else { return .ownerGone }
        let isOutermost = scheduler.openTurn()
        defer { if isOutermost { scheduler.closeTurn() } }
        guard let entry = existingEntry(for: id) ?? knownEntry(for: id) else {
            // An ancestor may be gone, released on another thread.
            if isCompleted { return .ownerGone }
            raise(.undeliveredCommand, board: AnyBoardID(id), isProblem: true, payload: command) {
                reason(forMissing: AnyBoardID(id), as: Contract.self)
            }
            return .noSuchBoard
        }
        return entry.receive(command)
    }

    /// Returns whether a live board of an ID on this motherboard receives commands.
    ///
    /// A board made for a call of ``result(of:with:takingLast:isolation:)`` does not count.
    public func isLive<Contract>(_ id: BoardID<Contract>) -> Bool { liveCount(of: id) > 0 }

    /// Returns the number of live boards of an ID on this motherboard that receive commands.
    ///
    /// A motherboard that has ended has none.
    public func liveCount<Contract>(of id: BoardID<Contract>) -> Int {
        checkOwner()
        if isCompleted { return 0 }
        guard let entry = existingEntry(for: id) ?? knownEntry(for: id) else {
            reportForeign(id)
            return 0
        }
        return entry.home.reachableCount
    }
}
