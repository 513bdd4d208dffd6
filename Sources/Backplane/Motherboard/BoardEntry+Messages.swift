import BackplaneConcurrency

/// Commands to boards and outputs of boards.
extension BoardEntry {
    func receive(_ command: Contract.Command) -> CommandResult {
        if let shared, shared.isPluggedIn, extras?.instances.isEmpty ?? true {
            raise(.command, of: shared, payload: command) { "Received a command." }
            if scheduler.typedObserverCount > 0 { noticeCommand(command) }
            shared.tellBoard(command)
            return .delivered(1)
        }
        let liveBoards = typedLiveBoards.filter { $0.isPluggedIn && !$0.isPrivate }
        guard !liveBoards.isEmpty else {
            let home = home
            if home !== self { return uncheckedDowncast(home, to: Self.self).receive(command) }
            raise(.undeliveredCommand, isProblem: true, payload: command) {
                "No live board received the command. Activate the board first, or ask isLive(_:) before you send."
            }
            return isKnown || isKnownOutside ? .notLive : .noSuchBoard
        }
        raise(.command, payload: command) { "\(liveBoards.count) boards received a command." }
        if scheduler.typedObserverCount > 0 { noticeCommand(command) }
        // One of these boards may end another before it receives the command.
        return .delivered(liveBoards.count { $0.tellBoard(command) })
    }

    /// Whether this motherboard has ended, and one around it registers the board.
    ///
    /// An ended motherboard has forgotten what it knew.
    private var isKnownOutside: Bool {
        standing == .closed && level.outer?.nearestEntry(named: name)?.typed(as: id)?.isRegistered ?? false
    }

    /// Delivers an output.
    ///
    /// - Parameters:
    ///   - output: the output.
    ///   - liveBoard: the board that sent it.
    ///   - listener: the listener to the board's activation at the time of sending.
    ///   - purpose: the runs that the board acted for at the time of sending. For a gate board,
    ///     this is the run that waits for its decision.
    func deliver(
        _ output: Contract.Output,
        from liveBoard: LiveBoard<Contract>,
        to listener: Listener<Contract>?,
        for purpose: Purpose?
    ) {
        // If the motherboard is gone, no gate opens. The completion, queued behind this output,
        // denies the waiting activations.
        if isNested { resolveForDelivery() }
        if standing == .orphaned { return }
        let run = purpose == nil ? nil : scheduler.gates.run(askedOf: liveBoard, for: purpose)
        if flows.isEmpty, listener == nil, run == nil, !(hasOutside && hasFlowsOutside) {
            return reportUnhandled(output, from: liveBoard)
        }
        raise(.output, of: liveBoard, payload: output) { "Sent an output." }
        if scheduler.typedObserverCount > 0 { noticeOutput(output) }
        if let listener, listener.isPrivate { return listener.send(output) }
        // Flows on a nested motherboard belong to its board.
        scheduler.acting(asFlow: !isBoardsOwn, for: purpose) {
            flows.fire(output, from: self)
            if hasOutside { fireOutside(output) }
        }
        if listener == nil, run == nil { return }
        scheduler.handleFlow {
            listener?.send(output)
            // Judged after the flows, so that the board that enters finds their effects, such as a
            // signed-in user.
            if let run { judge(output, run) }
        }
    }

    /// Judges an output of this gate board for all activations that wait in `run`.
    ///
    /// This is the first step of a decision; see ``AnyGate``.
    private func judge(_ output: Contract.Output, _ run: UInt64) {
        // This board answers the run, so every rule in the run has a gate board with this contract.
        scheduler.judge(run) { waiter in
            guard let gate = waiter.gate else { return .undecided }
            return uncheckedDowncast(gate, to: Gate<Contract>.self).judge(output, for: waiter)
        }
    }
}
