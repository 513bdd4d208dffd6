import BackplaneConcurrency

/// A created board and its state, which a ``Slot`` and an ``Activation`` refer to.
///
/// It is also a delivery of the queue: the delivery of the board's completion.
class LiveBoard<Contract: BoardContract>: AnyLiveBoard {
    final let entry: BoardEntry<Contract>
    private final let scheduler: TurnScheduler
    /// The board; `nil` while it is being created and after it has ended.
    final var board: (any Board<Contract> & AnyObject)?

    required init(entry: BoardEntry<Contract>, generation: UInt64, input: Contract.Input) {
        self.entry = entry
        scheduler = entry.scheduler
        super.init(generation: generation)
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

    // MARK: The listener

    /// The listener that awaits the outputs of the current activation, as long as it listens.
    final var listener: Listener<Contract>? {
        get {
            guard let listener = extras?.listener else { return nil }
            return downcast(listener, to: Listener<Contract>.self)
        }
        set {
            guard newValue != nil || extras != nil else { return }
            let extras = needExtras()
            extras.listener = newValue
            extras.isPrivate = newValue?.isPrivate ?? false
        }
    }

    /// The input of a scope, if boards inside it are made from it.
    final var keptInput: Contract.Input? {
        extras?.keptInput.map { downcast($0, to: KeptInput<Contract.Input>.self).value }
    }

    // Not inlined, because few boards are scopes, and naming the generic type costs a look-up.
    @inline(never)
    final func keepInput(_ input: Contract.Input) {
        needExtras().keptInput = KeptInput(input)
    }

    /// Hands the board over to a later activation.
    ///
    /// Ends the listening to the earlier activation, and denies the activations that wait for this
    /// board's decision as a gate. Both happen after the outputs that the board has already sent.
    final func supersede(with listener: Listener<Contract>?, purpose: Purpose?, run: UInt64) {
        if let earlier = self.listener { scheduler.enqueue(QueuedCall { earlier.finish() }) }
        self.listener = listener
        let gates = scheduler.gates
        let later = run == 0 ? purpose : gates.purpose(ofBoardFor: run)
        let staysOpen = openRun.map { $0 != run && scheduler.supersede($0, by: later) } ?? false
        let earlier = self.purpose
        self.purpose = staysOpen ? gates.union(later, earlier) : later
        if earlier !== self.purpose { scheduler.purposeVersion += 1 }
        if run != 0 { gates.begin(asking: self, for: run, isMade: false) }
    }

    // MARK: The end

    override func end(_ completion: Completion) {
        guard isLive else { return }
        phase = .ended(completion)
        isEndDerived = scheduler.isHandlingFlow
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
            guard scheduler.observerCount > 0, let board else { return }
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

/// The contract-independent base of ``LiveBoard``.
class AnyLiveBoard: Delivery {
    enum Phase {
        case live
        case ended(Completion)
        case ownerGone
    }

    /// State that most boards never need, stored separately so that they do not pay for it.
    final class Extras {
        var nested: Motherboard?
        var works: [Work] = []
        var staleWork = StaleWork()
        fileprivate(set) var bindings: LifetimeBindings?
        // Without their class: see `downcast`. Only the properties of the same names in `LiveBoard`
        // set these.
        fileprivate var keptInput: AnyObject?
        fileprivate(set) var purpose: Purpose?
        fileprivate(set) weak var listener: AnyObject?
        fileprivate(set) var isPrivate = false
    }

    /// The number of the latest activation of this board.
    final var generation: UInt64
    final var phase = Phase.live
    /// Whether a flow, a gate or the end of an enclosing board ended this board.
    final fileprivate(set) var isEndDerived = false
    /// The number of this board, unique in its tree.
    let number: UInt64
    final fileprivate(set) var extras: Extras?
    /// Whether work of an earlier activation, or work that was replaced, may still run.
    final var hasStaleWork = false

    init(generation: UInt64) {
        self.generation = generation
        number = generation
    }

    /// Whether the board was created for one caller, who alone receives its outputs.
    final var isPrivate: Bool { extras?.isPrivate ?? false }

    var untypedEntry: AnyBoardEntry { preconditionFailure("A live board was created without a board entry.") }
    /// Whether a later activation of the ID reuses the board.
    var isShared: Bool { false }
    func end(_ completion: Completion) {}
    func dismantle() {}

    /// The snapshot entry of this board.
    func entry(inside: [BoardSnapshot.Entry]) -> BoardSnapshot.Entry {
        preconditionFailure("A live board was created without a contract.")
    }

    /// Returns whether `input` is a written form of the input of the latest activation.
    func isActivated(with input: WrittenPayload) -> Bool { false }

    /// Sends an output that was written down; returns `false` if the output cannot be read.
    func send(reading output: any ReadablePayload) -> Bool { false }

    /// Passes a written-down command to the board; returns `false` if the command cannot be read.
    func receive(reading command: any ReadablePayload) -> Bool { false }

    /// The gate runs that the board acts for.
    final var purpose: Purpose? {
        get { extras?.purpose }
        set {
            guard newValue != nil || extras != nil else { return }
            let extras = needExtras()
            let earlier = extras.purpose
            extras.purpose = newValue
            drop(earlier)
        }
    }

    /// The gate run that this board decides, while an activation waits for the decision.
    final var openRun: UInt64? {
        guard let purpose = extras?.purpose else { return nil }
        return untypedEntry.scheduler.gates.run(askedOf: self, for: purpose)
    }

    /// Denies the activations that wait for the decision of this board.
    final func denyOpenRun(_ reason: Denial.Reason) {
        if let openRun { untypedEntry.scheduler.deny(openRun, reason) }
    }

    /// Removes and returns the extras of the board.
    ///
    /// Work that still runs may hold these extras, so their purpose is cleared first.
    fileprivate final func exchangeExtras() -> Extras? {
        guard extras != nil else { return nil }
        purpose = nil
        let extras = extras
        self.extras = nil
        return extras
    }

    /// Cancels the board's work and releases the components that are kept for it.
    fileprivate final func cutTies(isCompleting: Bool = true) {
        guard let extras else { return }
        cancelWork()
        extras.bindings?.cut(isCompleting: isCompleting)
    }

    final func markOrphaned() {
        phase = .ownerGone
        extras?.nested?.level.markOrphaned()
    }

    final func complete(_ completion: Completion) {
        // Checked before the turn, because a turn needs the owner, which may be released.
        guard isLive else { return }
        let scheduler = untypedEntry.scheduler
        scheduler.turn { end(completion) }
    }

    final var isLive: Bool {
        if case .live = phase { true } else { false }
    }

    final var ending: Completion? {
        if case .ended(let completion) = phase { completion } else { nil }
    }

    final func dropped(_ message: String) {
        untypedEntry.raise(.droppedOutput, of: self, isProblem: true) {
            isLive
                ? "Work that was superseded or replaced sent \(message); it was dropped. Work that must go on when its "
                    + "board is activated again needs task(lasting: .board)."
                : "The board sent \(message) after it had ended; it was dropped. Send before you complete the board, or use "
                    + "complete(_:sending:)."
        }
    }

    final override var sender: AnyBoardID? { untypedEntry.anyID }

    final override func raise(_ kind: BoardEvent.Kind, _ message: () -> String) {
        untypedEntry.raise(kind, of: self, isProblem: true, message)
    }

    final func needExtras() -> Extras {
        if let extras { return extras }
        let made = Extras()
        extras = made
        return made
    }

    private final func needTies() -> LifetimeBindings {
        let extras = needExtras()
        let bindings = extras.bindings ?? LifetimeBindings()
        extras.bindings = bindings
        return bindings
    }

    final var instance: BoardInstance { BoardInstance(id: untypedEntry.anyID, number: number) }

    final var hasExtras: Bool { extras != nil }

    final var nestedIfAny: Motherboard? { extras?.nested }

    final func nestedMotherboard() -> Motherboard {
        obeysCaller ? inside : Motherboard(endedIn: untypedEntry.scheduler)
    }

    /// The nested motherboard of a live board, created on first use.
    final var inside: Motherboard {
        let extras = needExtras()
        if let nested = extras.nested { return nested }
        let nested = Motherboard(inside: self)
        extras.nested = nested
        nested.inheritScopes()
        return nested
    }

    final func keep(_ component: AnyObject, for lifetime: Lifetime) {
        guard obeysCaller else { return }
        needTies().keep(component, for: lifetime, on: untypedEntry.scheduler.owner)
    }

    /// Calls `action` when the board ends or its motherboard is released, or now if the board has
    /// ended.
    final func atEnd(_ action: @escaping () -> Void) {
        if isLive { needTies().atCut(action) } else { action() }
    }

    /// Calls `action` when the board completes, however it ends, or now if the board has ended.
    ///
    /// If the motherboard is released without completing, the action is called one hop later.
    final func atEveryEnd(_ action: @escaping () -> Void) {
        if isLive { needTies().atEnd(on: untypedEntry.scheduler.owner, action) } else { action() }
    }

    final func pair(with lifetime: Lifetime) {
        guard obeysCaller else { return }
        let paired = generation
        needTies().pair(paired, with: lifetime, on: untypedEntry.scheduler.owner) { [weak self] in
            // A board that was activated again belongs to the later activation.
            if let self, generation == paired { complete(.cancelled) }
        }
    }
}

/// An output that was sent during a turn.
final class PendingOutput<Contract: BoardContract>: Delivery {
    private let output: Contract.Output
    private let liveBoard: LiveBoard<Contract>
    private let listener: Listener<Contract>?
    private let purpose: Purpose?

    required init(_ output: Contract.Output, from liveBoard: LiveBoard<Contract>) {
        self.output = output
        self.liveBoard = liveBoard
        let hasExtras = liveBoard.hasExtras
        listener = hasExtras ? liveBoard.listener : nil
        purpose = hasExtras ? liveBoard.purpose : nil
    }

    override var sender: AnyBoardID? { liveBoard.sender }
    override func deliver() { liveBoard.entry.deliver(output, from: liveBoard, to: listener, for: purpose) }
    override func raise(_ kind: BoardEvent.Kind, _ message: () -> String) { liveBoard.raise(kind, message) }
}

/// An input as an object.
private final class KeptInput<Input> {
    let value: Input

    init(_ value: Input) {
        self.value = value
    }
}

/// A ``LiveBoard`` that stores the input of its board's latest activation, so that it can be
/// restored.
///
/// It exists for inputs that can be written down. Other inputs may hold objects that hold the
/// motherboard. The input lives as long as the live board, which the handle of an activation keeps
/// alive.
final class RestorableLiveBoard<Contract: BoardContract, Input>: LiveBoard<Contract> where Contract.Input == Input {
    // Unchecked, because the check takes a tenth of the time of a message. The check would find a
    // read during an assignment, made by the `deinit` of a value that the assignment releases.
    // `remember` releases nothing before the assignment is complete.
    @exclusivity(unchecked) private var input: Input

    required init(entry: BoardEntry<Contract>, generation: UInt64, input: Contract.Input) {
        self.input = input
        super.init(entry: entry, generation: generation, input: input)
    }

    override func remember(_ input: Contract.Input) {
        let earlier = self.input
        self.input = input
        withExtendedLifetime(earlier) {}
    }

    override var rememberedInput: WrittenPayload { WrittenPayload(input) }
    override func isActivated(with input: WrittenPayload) -> Bool { input.isForm(of: self.input) }
}
