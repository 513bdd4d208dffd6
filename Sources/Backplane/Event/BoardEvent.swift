/// Something that happened on a motherboard, as told to ``Motherboard/observe(_:)``.
///
/// It carries identities and never a payload, so it may be logged.
public struct BoardEvent: Sendable, CustomStringConvertible {
    /// What sort of thing happened.
    ///
    /// More may be added; handle unknown ones by ignoring them.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name.
        public let description: String

        /// A board was activated, whether made for it or live already.
        public static let activated = Kind(description: "activated")
        /// An activation begins to wait at a gate.
        public static let waiting = Kind(description: "waiting")
        /// An output reached flows, activations that wait for it at a gate, or a caller that awaits it.
        public static let output = Kind(description: "output")
        /// A board sent an output that nobody takes: there is no flow from it, nobody waits at it as a gate and nobody
        /// awaits it.
        public static let unhandledOutput = Kind(description: "unhandledOutput")
        /// A board sent an output or an action after it had ended.
        public static let droppedOutput = Kind(description: "droppedOutput")
        /// Live boards received a command.
        public static let command = Kind(description: "command")
        /// A command was sent and no board was live to obey it.
        public static let undeliveredCommand = Kind(description: "undeliveredCommand")
        /// An action was handled.
        public static let action = Kind(description: "action")
        /// No motherboard up the chain handled an action.
        public static let unhandledAction = Kind(description: "unhandledAction")
        /// A board ended, in whatever way; the message says which.
        public static let completed = Kind(description: "completed")
        /// An identity was activated under which nothing is registered.
        public static let noSuchBoard = Kind(description: "noSuchBoard")
        /// A gate opened for an activation, which then comes to the next gate or is entered.
        public static let gateOpened = Kind(description: "gateOpened")
        /// An activation was denied at a gate.
        public static let gateDenied = Kind(description: "gateDenied")
        /// The entrance of a scope answered while the scope was live; the answer was dropped.
        public static let droppedEntrance = Kind(description: "droppedEntrance")
        /// A board started work that ends with it.
        public static let taskStarted = Kind(description: "taskStarted")
        /// Such work ended, in whatever way.
        public static let taskEnded = Kind(description: "taskEnded")
        /// A board failed, and no completion flow, caller or waiting activation received its completion.
        public static let unhandledFailure = Kind(description: "unhandledFailure")
        /// A board that had ended a second before was still held by something.
        ///
        /// Raised in debug builds of the package only, and only of boards that ended while somebody observed. It says
        /// which identity, and not which board of it.
        public static let leaked = Kind(description: "leaked")
        /// One turn delivers more than its budget: boards that answer each other forever, most likely.
        public static let turnBudgetExceeded = Kind(description: "turnBudgetExceeded")
    }

    /// What sort of thing happened.
    public let kind: Kind
    /// The board it happened to; nil for an action that no board sent.
    public let board: AnyBoardID?
    /// Which board of that identity; nil where none was made, or where it is about all of them.
    public let instance: BoardInstance?
    /// The boards around it, the outermost first: those in whose nested motherboards it happened.
    public let enclosing: [BoardInstance]
    /// Whether a flow, a gate or the end of a board around it brought it about; false of what a board did by itself,
    /// and of what was done from outside.
    ///
    /// What a board does on its nested motherboard is its own doing, and so is what the flows do that it draws there.
    public let isDerived: Bool
    /// Whether the board belongs to one caller who awaits its result.
    public let isPrivate: Bool
    /// The gate it is about, of an activation that waits, passes or is denied; nil otherwise.
    public let gate: AnyBoardID?
    /// A sentence for people, with a remedy where one is needed.
    public let message: String
    /// When it happened.
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

    /// Kind, board and message.
    public var description: String {
        "\(kind) \((enclosing.map(\.description) + [place]).joined(separator: "/")): \(message)"
    }

    private var place: String { instance?.description ?? board?.name ?? "-" }
}
