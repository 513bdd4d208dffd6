/// Boards are made or activated again, after their gates have opened.
extension BoardEntry {
    /// Activates the live board, or makes one first; returns `nil` if no board can be made.
    func activateLiveBoard(
        with input: Contract.Input,
        for listener: Listener<Contract>? = nil,
        purpose: Purpose? = nil,
        run: UInt64 = 0,
        waiter: GateWaiter<Contract>? = nil
    ) -> (LiveBoard<Contract>, generation: UInt64)? {
        let isPrivate = listener?.isPrivate ?? false
        // A scope has one live board, even if a gate asks it.
        let isOwn = isPrivate || run != 0 && !isScope && scheduler.gates.kind(of: run) == .own
        if isScope, !isOwn, let earlier = shared {
            // The previous board, and all that it caused, ends before the new one is made.
            earlier.end(.cancelled)
            if let later = shared {
                // Code that ran at that end has entered the scope again.
                listener?.finish(with: .cancelled)
                scheduler.deny(run, .gateSuperseded)
                return (later, scheduler.nextGeneration())
            }
            guard standing == .open else { return nil }
        }
        if !isOwn, let shared {
            let generation = reactivate(
                shared,
                with: input,
                for: listener,
                purpose: purpose,
                run: run,
                waiter: waiter
            )
            return (shared, generation)
        }
        guard let registration = registrationInForce else { return nil }
        let liveBoard = add(from: registration, isOwn: isOwn, input)
        let generation = liveBoard.generation
        if let listener { liveBoard.listener = listener }
        if let waiter { waiter.inside = Activation(of: liveBoard, generation: generation) }
        if run != 0 {
            liveBoard.purpose = scheduler.gates.purpose(ofBoardFor: run)
            scheduler.gates.begin(asking: liveBoard, for: run, isMade: true)
        } else if let purpose {
            liveBoard.purpose = purpose
        }
        if scheduler.keptInputs.contains(name) { liveBoard.keepInput(input) }
        if plugIn(liveBoard, from: registration, input), !isOwn, scheduler.gates.hasRuns {
            scheduler.letInto(liveBoard)
        }
        return (liveBoard, generation)
    }

    /// Adds a live board without its board.
    @inline(__always)
    private func add(
        from registration: BoardFactory<Contract>,
        isOwn: Bool,
        _ input: Contract.Input
    ) -> LiveBoard<Contract> {
        let generation = scheduler.nextGeneration()
        let liveBoard = registration.liveBoardType.init(entry: self, generation: generation, input: input)
        if isOwn || (reuse == .perActivation && !isScope) {
            needExtras().instances[generation] = liveBoard
        } else {
            shared = liveBoard
        }
        return liveBoard
    }

    /// Makes the board of a live board and activates it; returns whether it has not ended before.
    @inline(__always)
    private func plugIn(
        _ liveBoard: LiveBoard<Contract>,
        from registration: BoardFactory<Contract>,
        _ input: Contract.Input
    ) -> Bool {
        let board = scheduler.acting(asFlow: false, for: nil) {
            registration.makeBoard(for: Slot(liveBoard: liveBoard), input)
        }
        // A board may end in its own initializer. Then there is nothing to activate.
        guard liveBoard.isLive else {
            if let ending = liveBoard.ending { liveBoard.tellEnd(board, ending) }
            return false
        }
        liveBoard.board = board
        raise(.activated, of: liveBoard, payload: input) { "Made and activated." }
        if scheduler.typedObserverCount > 0 { noticeActivation(input) }
        liveBoard.activateBoard(with: input)
        return true
    }

    @discardableResult
    func reactivate(
        _ liveBoard: LiveBoard<Contract>,
        with input: Contract.Input,
        for listener: Listener<Contract>? = nil,
        purpose: Purpose? = nil,
        run: UInt64 = 0,
        waiter: GateWaiter<Contract>? = nil
    ) -> UInt64 {
        precondition(
            liveBoard.isPluggedIn,
            "Board '\(id)' was activated during its own initialization; start work in activate(with:), not in init."
        )
        // Assigned now, because the board may be activated again before this activation returns.
        let generation = scheduler.nextGeneration()
        liveBoard.generation = generation
        liveBoard.remember(input)
        if let waiter { waiter.inside = Activation(of: liveBoard, generation: generation) }
        if liveBoard.hasExtras || listener != nil || purpose != nil || run != 0 {
            liveBoard.supersede(with: listener, purpose: purpose, run: run)
            liveBoard.supersedeWork()
            // A cancellation handler may have activated the board again.
            guard liveBoard.generation == generation else { return generation }
        }
        raise(.activated, of: liveBoard, payload: input) { "Activated again; the earlier activation is superseded." }
        if scheduler.typedObserverCount > 0 { noticeActivation(input) }
        liveBoard.activateBoard(with: input)
        return generation
    }
}
