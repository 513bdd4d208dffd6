/// The reason why an activation has no result.
public struct BoardError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    ///
    /// Future versions may add codes, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// The board completed as ``Completion/done`` without an output, or its `Output` is
        /// `Never`.
        public static let completedWithoutOutput = Code(description: "completedWithoutOutput")
        /// A gate denied the activation; ``BoardError/denial`` has the reason.
        public static let denied = Code(description: "denied")
        /// No board is registered under the ID.
        public static let noSuchBoard = Code(description: "noSuchBoard")
        /// The motherboard has completed or is released.
        public static let ownerGone = Code(description: "ownerGone")
        /// A task board that is ``TaskStrategy/exclusive`` was activated during its work.
        public static let busy = Code(description: "busy")
    }

    /// The kind of failure.
    public let code: Code
    /// The ID of the activated board.
    public let board: AnyBoardID
    /// The reason why the gate denied the activation; `nil` for other failures.
    public let denial: Denial?
    /// The failure and how to fix it, in full sentences.
    public let message: String

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    private init(
        _ code: Code,
        _ board: AnyBoardID,
        denial: Denial? = nil,
        _ message: String
    ) {
        self.code = code
        self.board = board
        self.denial = denial
        self.message = message
    }

    static func completedWithoutOutput(_ board: AnyBoardID) -> Self {
        Self(
            .completedWithoutOutput,
            board,
            """
            Board '\(board)' completed as done without an output. Let it send one before it completes, or complete it as \
            cancelled.
            """
        )
    }

    static func hasNoOutput(_ board: AnyBoardID) -> Self {
        Self(
            .completedWithoutOutput,
            board,
            "Board '\(board)' has no result, because its Output is Never. Activate it instead: activate(_:with:)."
        )
    }

    static func denied(_ denial: Denial) -> Self {
        Self(.denied, denial.board, denial: denial, "\(denial) Tell the user why, or let them try again.")
    }

    static func noSuchBoard(_ board: AnyBoardID) -> Self {
        Self(
            .noSuchBoard,
            board,
            """
            No board is registered as '\(board)'. Register it, or install its module, on this motherboard or an \
            ancestor; if it is inside a scope, declare it with declare(_:inside:).
            """
        )
    }

    static func ownerGone(_ board: AnyBoardID) -> Self {
        Self(
            .ownerGone,
            board,
            "The motherboard of board '\(board)' has completed or is gone; start the work from something that outlives it."
        )
    }

    static func busy(_ board: AnyBoardID) -> Self {
        Self(
            .busy,
            board,
            "Task board '\(board)' is at work and does one thing at a time; try again later, or register it as a queue."
        )
    }
}
