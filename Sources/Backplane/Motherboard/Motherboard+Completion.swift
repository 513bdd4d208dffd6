extension Motherboard {
    /// Completes the live boards of an ID, in the order they were made.
    ///
    /// Activations of the ID that wait at a gate are cancelled first.
    public func complete<Contract>(_ id: BoardID<Contract>, _ completion: Completion = .done) {
        checkOwner()
        guard !isCompleted else { return }
        guard let entry = existingEntry(for: id) ?? knownEntry(for: id) else { return reportForeign(id) }
        scheduler.turn {
            let home = entry.home
            let (waiting, liveBoards) = (home === entry ? waiting : waiting + home.motherboard.waiting, home.liveBoards)
            for waiter in waiting where waiter.entry === entry || waiter.entry === home { waiter.giveUp() }
            for liveBoard in liveBoards { liveBoard.end(completion) }
        }
    }

    /// Ends every board on this motherboard as ``Completion/cancelled``, in the order of
    /// activation.
    ///
    /// The latest activation of each board counts. Activations that wait at a gate are cancelled
    /// first. Registrations, flows, gates and links stay: the motherboard is as it was before the
    /// first activation. Completion flows run in the same turn, before the outermost call returns.
    /// If these flows activate boards, those boards do not end.
    ///
    /// ```swift
    /// motherboard.registerGeneralFlow { (_: SignOut, motherboard) in
    ///     motherboard.completeAllBoards()
    ///     motherboard.activate(Welcome.id)
    /// }
    /// ```
    public func completeAllBoards() {
        guard !isCompleted else { return }
        scheduler.turn {
            let (waiting, liveBoards) = (waiting, liveBoards)
            for waiter in waiting { waiter.giveUp() }
            for liveBoard in liveBoards { liveBoard.end(.cancelled) }
        }
    }

    /// Ends the motherboard and cancels every board on it and inside it.
    ///
    /// Waiting activations are denied first, and the gate boards that were made for them end. Then
    /// boards end in the order of their latest activations, and completion flows run. Afterwards
    /// nothing can be activated, and every handler and factory is released. An action still goes to
    /// the parent motherboard. A second call does nothing.
    public func complete() {
        guard !isCompleted else { return }
        scheduler.turn { end() }
    }
}
