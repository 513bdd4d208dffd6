/// The identity of a question: its rule and its input.
///
/// A gate board without input is asked one question, which all rules share.
struct GateQuestion {
    enum Kind {
        /// A gate board without input: all activations that wait at it share one decision.
        case shared
        /// A gate board with input: a board is made for this question alone.
        case own
        /// No question: a scope is being entered, and the run ends when the scope's board is live.
        case scope
    }

    let kind: Kind
    /// The name of the gate board, for the list of a cycle.
    let board: AnyBoardID
    /// The entry of the gate board.
    let gateBoard: ObjectIdentifier
    /// The rule, if each rule has its own questions.
    var rule: ObjectIdentifier?
    /// The number that the rule has given to the input; equal inputs have equal numbers.
    var input: UInt64 = 0
    /// Whether the input can be compared with those of the rule's open questions.
    var isComparable = true

    init(kind: Kind, board: AnyBoardID, at entry: AnyObject) {
        self.kind = kind
        self.board = board
        gateBoard = ObjectIdentifier(entry)
    }

    /// Returns whether `other` is the same question, as far as that can be known.
    func mayBe(_ other: Self) -> Bool { self == other || !isComparable && rule == other.rule }
}

extension GateQuestion: Equatable {
    static func == (one: Self, other: Self) -> Bool {
        one.gateBoard == other.gateBoard && one.kind == other.kind && one.rule == other.rule && one.input == other.input
    }
}
