/// The entry of a gate board.
extension BoardEntry {
    /// Activates the board that decides for `run`, behind the gates in front of it.
    func activate(for run: UInt64, with input: Contract.Input) {
        if standing == .open { resolve() }
        guard standing == .open else { return scheduler.deny(run, .ownerGone) }
        let gates = scheduler.gates
        if !gates.isOpen(run) { return }
        guard isGated else { return enter(for: run, with: input) }
        let waiter = GateWaiter(at: self, with: input, asker: run, purpose: gates.purpose(of: run))
        gates.begin(waiting: waiter, for: run)
        waiter.proceed()
    }

    /// Activates the board that decides for `run`, after the gates in front of it have opened.
    func enter(for run: UInt64, with input: Contract.Input) {
        // The board was registered when the run began. It is missing only if its motherboard ended.
        let kind = scheduler.gates.kind(of: run)
        guard kind == .scope else {
            if kind == .shared, !isScope, shared?.isPluggedIn == false {
                // The board is being made, and its own initializer leads to this question.
                return scheduler.deny(run, .cycle([anyID, anyID]))
            }
            if activateLiveBoard(with: input, run: run) == nil { scheduler.deny(run, .ownerGone) }
            return
        }
        // The live board has already let in the waiting activations, unless it has ended.
        let liveBoard = activateLiveBoard(with: input)?.0
        if liveBoard?.isLive != true {
            scheduler.deny(run, liveBoard?.ending.map(Denial.Reason.completed) ?? .ownerGone)
        }
    }
}
