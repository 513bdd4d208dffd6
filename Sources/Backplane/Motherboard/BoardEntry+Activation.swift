/// The way to a board, behind its gates.
extension BoardEntry {
    /// Activates the board, behind its gates if it has any.
    ///
    /// Must be called inside a turn.
    func activate(
        with input: Contract.Input,
        for listener: Listener<Contract>? = nil,
        from sender: AnyLiveBoard? = nil,
        through origin: AnyBoardEntry? = nil,
        as arrival: AnyArrival? = nil
    ) -> Activation<Contract> {
        if standing == .open { resolve() }
        guard standing == .open else {
            listener?.finish(atEndOf: self)
            return Activation(id, .ownerGone)
        }
        if isElsewhere, gates.count == 1, let there = entryElsewhere {
            return there.activate(with: input, for: listener, from: sender, through: origin ?? self, as: arrival)
        }
        let purpose = !scheduler.gates.hasRuns ? nil : (origin ?? self).motherboard.purpose(sender)
        guard isGated, registration != nil || isElsewhere else {
            return activateUngated(with: input, for: listener, purpose: purpose)
        }
        let waiter = needExtras().waiterType.init(at: self, with: input, for: listener, purpose: purpose)
        waiter.origin = origin
        waiter.arrival = arrival
        waiter.proceed()
        // If no gate was asked, the caller needs a handle to the board, not to the waiter.
        return waiter.inside ?? Activation(of: waiter)
    }

    func activateUngated(
        with input: Contract.Input,
        for listener: Listener<Contract>? = nil,
        purpose: Purpose? = nil,
        waiter: GateWaiter<Contract>? = nil
    ) -> Activation<Contract> {
        let activated = activateLiveBoard(with: input, for: listener, purpose: purpose, waiter: waiter)
        guard let (liveBoard, generation) = activated else {
            guard standing == .open else {
                listener?.finish(atEndOf: self)
                return Activation(id, .ownerGone)
            }
            listener?.finish(throwing: BoardError.noSuchBoard(anyID))
            motherboard.reportMissing(anyID, for: purpose)
            return Activation(id, .noSuchBoard)
        }
        return Activation(of: liveBoard, generation: generation)
    }

    /// Activates the board as the next step of a chain, without returning a handle.
    func step(with input: Contract.Input) {
        // The hot path of long chains: the board is live, and nothing is in front of it.
        if let shared, standing == .open, resolvedVersion == scheduler.registryVersion, !isGated,
            !scheduler.gates.hasRuns
        {
            reactivate(shared, with: input)
        } else {
            _ = activate(with: input)
        }
    }
}
