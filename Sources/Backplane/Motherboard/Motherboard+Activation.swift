extension Motherboard {
    /// Activates a board, making it if need be, and returns when everything that caused synchronously has been delivered.
    ///
    /// A board with gates in front waits for them. Never throws: the activation's ``Activation/state`` has the outcome, and
    /// ``Activation/settled(isolation:)`` suspends until it does not wait any more.
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
        guard !isCompleted else {
            listener?.finish(throwing: BoardError.ownerGone(AnyBoardID(id)))
            return Activation(id, .ownerGone)
        }
        // A caller that waits for the result waits next; the reader of a sequence does so later.
        if let listener, listener.isPrivate {
            return scheduler.turnStartingWork { enter(id, with: input, for: listener, from: sender) }
        }
        let isOutermost = scheduler.open()
        defer { if isOutermost { scheduler.close() } }
        return enter(id, with: input, for: listener, from: sender)
    }

    @inline(__always)
    private func enter<Contract>(
        _ id: BoardID<Contract>,
        with input: Contract.Input,
        for listener: Listener<Contract>?,
        from sender: AnyLiveBoard?
    ) -> Activation<Contract> {
        guard let entry = existingEntry(for: id) ?? knownEntry(for: id) else {
            listener?.finish(throwing: BoardError.noSuchBoard(AnyBoardID(id)))
            reportMissing(AnyBoardID(id), for: scheduler.hasRuns ? purpose(sender) : nil)
            return Activation(id, .noSuchBoard)
        }
        return entry.activate(with: input, for: listener, from: sender)
    }

    /// Sends a command to the live boards of an ID on this motherboard, which obey before this returns.
    ///
    /// Never makes a board, and does not reach into nested motherboards.
    @discardableResult
    public func send<Contract>(_ command: Contract.Command, to id: BoardID<Contract>) -> CommandResult {
        guard !isCompleted else { return .ownerGone }
        let isOutermost = scheduler.open()
        defer { if isOutermost { scheduler.close() } }
        guard let entry = existingEntry(for: id) ?? knownEntry(for: id) else {
            raise(.undeliveredCommand, board: AnyBoardID(id), payload: command) { "No such board is registered." }
            return .noSuchBoard
        }
        return entry.receive(command)
    }

    /// Returns whether a board of an ID is live on this motherboard, one that commands reach.
    ///
    /// A board that only ``result(of:with:taking:isolation:)`` knows does not count.
    public func isLive<Contract>(_ id: BoardID<Contract>) -> Bool { liveCount(of: id) > 0 }

    /// Returns the number of live boards of an ID on this motherboard, those that commands reach.
    public func liveCount<Contract>(of id: BoardID<Contract>) -> Int {
        checkOwner()
        return (existingEntry(for: id) ?? knownEntry(for: id))?.home.reachableCount ?? 0
    }
}
