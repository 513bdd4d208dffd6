/// An event on a motherboard, as passed to ``Motherboard/observe(_:)``.
///
/// It contains IDs and never a payload, so you may log it.
public struct BoardEvent: Sendable, CustomStringConvertible {
    /// The kind of an event.
    ///
    /// Future versions may add kinds, so ignore unknown ones.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name.
        public let description: String

        /// A board was activated: a new board or a live one.
        public static let activated = Kind(description: "activated")
        /// An activation starts to wait at a gate.
        public static let waiting = Kind(description: "waiting")
        /// An output reached flows, activations that wait for it at a gate, or a caller that awaits
        /// it.
        public static let output = Kind(description: "output")
        /// A board sent an output that has no receiver.
        ///
        /// The board has no flow on its motherboard, and no flow on a motherboard that declares it
        /// inside a scope. No activation waits for it as its gate board, and no caller awaits its
        /// output.
        public static let unhandledOutput = Kind(description: "unhandledOutput")
        /// A board sent an output or an action after its end.
        ///
        /// Work that was superseded or replaced raises this, too.
        public static let droppedOutput = Kind(description: "droppedOutput")
        /// Live boards received a command.
        public static let command = Kind(description: "command")
        /// A command was sent, but no board was live to receive it.
        public static let undeliveredCommand = Kind(description: "undeliveredCommand")
        /// An action was handled.
        public static let action = Kind(description: "action")
        /// No motherboard up the chain handled an action.
        public static let unhandledAction = Kind(description: "unhandledAction")
        /// A board ended; the message contains the ``Completion``.
        public static let completed = Kind(description: "completed")
        /// An ID was used that has no registered board, or that has the name of another contract.
        public static let noSuchBoard = Kind(description: "noSuchBoard")
        /// The type of a contribution point differed from the type of its contributions.
        public static let noSuchPoint = Kind(description: "noSuchPoint")
        /// A gate opened for an activation, which then goes to the next gate or enters the board.
        public static let gateOpened = Kind(description: "gateOpened")
        /// An activation was denied at a gate.
        public static let gateDenied = Kind(description: "gateDenied")
        /// The entrance of a scope sent an input that was dropped.
        ///
        /// The scope was live, a later input came, or nothing needed the input any longer. The
        /// event's board is the scope.
        public static let droppedEntrance = Kind(description: "droppedEntrance")
        /// A board started work that ends with the board.
        public static let taskStarted = Kind(description: "taskStarted")
        /// The work of a board ended, with or without an error.
        public static let taskEnded = Kind(description: "taskEnded")
        /// A board failed, and no completion flow, caller or waiting activation received its
        /// completion.
        public static let unhandledFailure = Kind(description: "unhandledFailure")
        /// An object still held a board one second after the board's end.
        ///
        /// Only debug builds of the package raise this, and only for boards that ended while a
        /// motherboard in the tree had an observer. iOS 17.0 and 17.1 never raise it, because they
        /// do not release dismissed controllers.
        public static let leaked = Kind(description: "leaked")
        /// One turn made more deliveries than its budget, or the work of boards caused too many
        /// turns in a row.
        ///
        /// The probable reason is that boards send each other outputs without end.
        public static let turnBudgetExceeded = Kind(description: "turnBudgetExceeded")
    }

    /// The kind of the event.
    public let kind: Kind
    /// The ID of the board that the event is about; `nil` for an action that no board sent.
    public let board: AnyBoardID?
    /// The created board that the event is about.
    ///
    /// It is `nil` if no board was created, or if the event is about several boards of the ID.
    public let instance: BoardInstance?
    /// The enclosing boards in whose nested motherboards the event happened, the outermost first.
    public let enclosing: [BoardInstance]
    /// Whether a flow, a gate or the end of an enclosing board caused the event.
    ///
    /// It is `false` if a board caused the event by itself, or if code outside caused it. It is
    /// also `false` for calls of a board on its nested motherboard, and for the effects of the
    /// flows that the board registers there.
    public let isDerived: Bool
    /// Whether the board belongs to one caller who awaits its result.
    package let isPrivate: Bool
    /// The gate at which an activation waits, passes or is denied; `nil` for other events.
    public let gate: AnyBoardID?
    /// A sentence for the developer, with advice if the event is a problem.
    public let message: String
    /// The time of the event.
    public let time: ContinuousClock.Instant

    init(
        _ kind: Kind,
        board: AnyBoardID?,
        instance: BoardInstance? = nil,
        enclosing: [BoardInstance],
        isDerived: Bool,
        isPrivate: Bool = false,
        gate: AnyBoardID? = nil,
        message: String
    ) {
        self.kind = kind
        self.board = board
        self.instance = instance
        self.enclosing = enclosing
        self.isDerived = isDerived
        self.isPrivate = isPrivate
        self.gate = gate
        self.message = message
        time = .now
    }

    /// The kind, the board and the message.
    public var description: String {
        "\(kind) \((enclosing.map(\.description) + [subject]).joined(separator: "/")): \(message)"
    }

    private var subject: String { instance?.description ?? board?.name ?? "-" }
}
