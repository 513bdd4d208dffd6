extension Motherboard {
    /// Completes the live boards of an ID, the first made first; what waits at a gate for one gives up.
    public func complete<Contract>(_ id: BoardID<Contract>, _ completion: Completion = .done) {
        checkOwner()
        guard !isCompleted, let entry = existingEntry(for: id) ?? knownEntry(for: id) else { return }
        scheduler.turn {
            let home = entry.home
            let (waiting, liveBoards) = (home === entry ? waiting : waiting + home.motherboard.waiting, home.liveBoards)
            for waiter in waiting where waiter.entry === entry || waiter.entry === home { waiter.leave() }
            for liveBoard in liveBoards { liveBoard.end(completion) }
        }
    }

    /// Ends every board on this motherboard as ``Completion/cancelled``, the first activated first.
    ///
    /// Activations that wait at a gate give up. Registrations, flows, gates and links stay: the motherboard is as it was
    /// before anything was activated.
    /// Completion flows run before this returns. Nothing that they activate is ended.
    ///
    /// ```swift
    /// motherboard.registerGeneralFlow { (_: SignOut, motherboard) in
    ///     motherboard.completeAllBoards()
    ///     motherboard.activate(.welcome)
    /// }
    /// ```
    public func completeAllBoards() {
        guard !isCompleted else { return }
        scheduler.turn {
            let (waiting, liveBoards) = (waiting, liveBoards)
            for waiter in waiting { waiter.leave() }
            for liveBoard in liveBoards { liveBoard.end(.cancelled) }
        }
    }

    /// Ends the motherboard: every board on it and inside it is cancelled, the first activated first, and completion flows run.
    ///
    /// Afterwards nothing can be activated, and every handler and factory is let go; an action still goes to what is around
    /// it. A second call does nothing.
    public func complete() {
        guard !isCompleted else { return }
        scheduler.turn { end() }
    }
}
