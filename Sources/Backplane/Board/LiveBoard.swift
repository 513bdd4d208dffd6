import BackplaneConcurrency

/// A created board and its state, which a ``Slot`` and an ``Activation`` refer to.
///
/// It is also a delivery of the queue: the delivery of the board's completion.
class LiveBoard<Contract: BoardContract>: AnyLiveBoard {
    final let entry: BoardEntry<Contract>
    /// The board; `nil` while it is being created and after it has ended.
    final var board: (any Board<Contract> & AnyObject)?

    required init(entry: BoardEntry<Contract>, generation: UInt64, input: Contract.Input) {
        self.entry = entry
        super.init(entry.scheduler, generation: generation)
    }

    final override var untypedEntry: AnyBoardEntry { entry }
    final override var isShared: Bool { entry.shared === self }

    /// Stores the input of the latest activation, if it can be restored.
    func remember(_ input: Contract.Input) {}

    /// The input of the latest activation in written form, if it can be written.
    var rememberedInput: WrittenPayload {
        Contract.Input.self == Void.self ? .nothing : .unwritable("\(Contract.Input.self) is not Codable")
    }

    override func isActivated(with input: WrittenPayload) -> Bool { rememberedInput == input }

    final override func entry(inside: [BoardSnapshot.Entry]) -> BoardSnapshot.Entry {
        BoardSnapshot.Entry(
            board: entry.anyID,
            input: rememberedInput,
            isAwaited: isPrivate,
            inside: inside
        )
    }

    // MARK: The board

    final var isPluggedIn: Bool { board != nil }

    /// Activates the board, if there is one.
    final func activateBoard(with input: Contract.Input) {
        if let board { call(board) { board.activate(with: input) } }
    }

    /// Passes a command to the board and returns whether there is a board.
    @discardableResult
    final func tellBoard(_ command: Contract.Command) -> Bool {
        guard let board else { return false }
        call(board) { board.receive(command) }
        return true
    }

    /// Notifies a removed board that it has ended.
    final func tellEnd(_ board: any Board<Contract> & AnyObject, _ completion: Completion) {
        call(board) { board.didEnd(completion) }
    }

    /// Calls a board; only the functions above use it.
    ///
    /// The board may end during the call, and then only the call keeps it alive. Swift 6.3.1 misses
    /// this case: it omits the retain for an object that is called through a protocol to which
    /// structs can also conform. Hence the extended lifetime.
    @inline(__always)
    private final func call(_ board: any Board<Contract> & AnyObject, _ body: () -> Void) {
        scheduler.acting(asFlow: false, for: nil) {
            if hasStaleWork { withoutWork(body) } else { body() }
            withExtendedLifetime(board) {}
        }
    }

    // MARK: Messages

    final func send(_ output: Contract.Output) {
        guard obeysCaller else { return dropped("an output") }
        if scheduler.openTurn() {
            // The queue is empty, so the output is delivered directly.
            if hasExtras {
                entry.deliver(output, from: self, to: listener, for: purpose)
            } else {
                entry.deliver(output, from: self, to: nil, for: nil)
            }
            scheduler.closeTurn()
        } else {
            scheduler.enqueue(entry.pendingOutput.init(output, from: self))
        }
    }

    final override func deliver() {
        guard let ending else { return }
        entry.deliver(ending, from: self)
        // Handles may keep this live board alive, but the contents of the board are released.
        _ = exchangeExtras()
    }

    // MARK: As an activation

    final func state(of generation: UInt64) -> ActivationState {
        // A shared board that was activated again belongs to the later activation, however it ends.
        if self.generation != generation { return .superseded }
        switch phase {
        case .live: return .active
        case .ended: return .completed
        case .ownerGone: return .ownerGone
        }
    }

    /// Passes a command to the board; returns `false` if the board is no longer, or not yet,
    /// available to this activation.
    final func receive(_ command: Contract.Command, in generation: UInt64) -> Bool {
        guard self.generation == generation, isLive, isPluggedIn else { return false }
        let isOutermost = scheduler.openTurn()
        entry.raise(.command, of: self, payload: command) { "Received a command." }
        if scheduler.typedObserverCount > 0 { entry.noticeCommand(command) }
        tellBoard(command)
        if isOutermost { scheduler.closeTurn() }
        return true
    }

    final override func send(reading output: any ReadablePayload) -> Bool {
        guard let output = output.read(as: Contract.Output.self) else { return false }
        send(output)
        return true
    }

    final override func receive(reading command: any ReadablePayload) -> Bool {
        guard let command = command.read(as: Contract.Command.self) else { return false }
        _ = receive(command, in: generation)
        return true
    }

    final func complete(_ completion: Completion, in generation: UInt64) {
        if self.generation == generation { complete(completion) }
    }

    /// Hands the board over to a later activation.
    ///
    /// Ends the listening to the earlier activation, and denies the activations that wait for this
    /// board's decision as a gate. Both happen after the outputs that the board has already sent.
    final func supersede(with listener: Listener<Contract>?, purpose: Purpose?, run: UInt64) {
        let earlierListener = self.listener
        if let earlierListener { scheduler.enqueue(QueuedCall { earlierListener.finish() }) }
        if listener != nil || earlierListener != nil { self.listener = listener }
        let gates = scheduler.gates
        var later = run == 0 ? purpose : gates.purpose(ofBoardFor: run)
        let earlier = self.purpose
        if let openRun, openRun != run, scheduler.supersede(openRun, by: later) { later = gates.union(later, earlier) }
        if later !== earlier {
            self.purpose = later
            scheduler.purposeVersion += 1
        }
        if run != 0 { gates.begin(asking: self, for: run, isMade: false) }
    }

    // MARK: The end

    override func end(_ completion: Completion) {
        guard isLive else { return }
        markEnded(completion)
        entry.forget(self)
        watchForLeak()
        if let openRun { scheduler.gates.close(openRun) }
        // Foreign code runs last, after this board is removed: first the code of boards inside,
        // then the code of this board.
        let board = board
        self.board = nil
        if let nested = nestedIfAny { scheduler.handleFlow { nested.end() } }
        scheduler.enqueue(self)
        cutTies()
        if let board { tellEnd(board, completion) }
    }

    /// Reports a board that something keeps alive after its end, in debug builds with observers.
    private func watchForLeak() {
        #if DEBUG
            guard scheduler.observerCount > 0, scheduler.releasesScreens, let board else { return }
            scheduler.watch(board, of: self)
        #endif
    }

    final override func dismantle() {
        let board = board
        self.board = nil
        denyOpenRun(.ownerGone)
        listener?.finish(throwing: BoardError.ownerGone(entry.anyID))
        cutTies(isCompleting: false)
        let extras = exchangeExtras()
        extras?.nested?.dismantle()
        withExtendedLifetime(board) {}
    }
}
