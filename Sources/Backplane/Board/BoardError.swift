/// Why an activation brought no result.
public struct BoardError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    ///
    /// New codes may be added, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// The board ended, and its first output was awaited in vain.
        public static let completedWithoutOutput = Code(description: "completedWithoutOutput")
        /// The gate in front of the board did not open; ``BoardError/denial`` says why.
        public static let denied = Code(description: "denied")
        /// No board is registered under the identity.
        public static let noSuchBoard = Code(description: "noSuchBoard")
        /// The motherboard has completed or is gone.
        public static let ownerGone = Code(description: "ownerGone")
        /// A task board that is ``TaskStrategy/exclusive`` was activated while it was at work.
        public static let busy = Code(description: "busy")
    }

    /// What kind of failure it is.
    public let code: Code
    /// The board that was activated.
    public let board: AnyBoardID
    /// Why the gate did not open, where that is the failure.
    public let denial: Denial?
    /// How the board ended, where it ended without an output: ``Completion/cancelled`` when a person closed it, say.
    public let completion: Completion?
    /// What failed and what to do about it, as full sentences.
    public let message: String

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    private init(
        _ code: Code,
        _ board: AnyBoardID,
        denial: Denial? = nil,
        completion: Completion? = nil,
        _ message: String
    ) {
        self.code = code
        self.board = board
        self.denial = denial
        self.completion = completion
        self.message = message
    }

    static func completedWithoutOutput(_ board: AnyBoardID, _ completion: Completion?) -> Self {
        Self(
            .completedWithoutOutput,
            board,
            completion: completion,
            "Board '\(board)' ended without an output; catch this where ending it is a choice, as closing a dialog is."
        )
    }

    static func denied(_ board: AnyBoardID, _ denial: Denial) -> Self {
        Self(.denied, board, denial: denial, "Board '\(board)' was not activated. \(denial)")
    }

    static func noSuchBoard(_ board: AnyBoardID) -> Self {
        Self(
            .noSuchBoard,
            board,
            "No board is registered as '\(board)'. Register it, or install its module, on this motherboard or one around it."
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
