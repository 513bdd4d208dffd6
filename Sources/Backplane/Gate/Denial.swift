/// The board, the gate and the reason of a denied activation.
///
/// A denial is the negative result of a decision. The gate judges an output of the gate board as
/// ``GateVerdict/closed``, or the gate board ends without opening the gate. The denial then reaches
/// observers as an event, the denial flows, and the caller that awaits the result.
///
/// A denial names boards and never contains an input, so you may log it.
public struct Denial: Hashable, Sendable, CustomStringConvertible {
    // Only `AnyGateWaiter.deny(by:_:)` creates one: see `AnyGate` for the path of a decision.

    /// The reasons why a gate does not open.
    ///
    /// More reasons may be added, so a `switch` needs a `default`.
    public enum Reason: Hashable, Sendable {
        /// The gate judged an output of the gate board as ``GateVerdict/closed``.
        case closed
        /// The gate board completed as ``Completion/done`` without opening the gate.
        case gateDone
        /// The gate board was cancelled.
        case gateCancelled
        /// The gate board failed; its completion flows receive the error.
        case gateFailed
        /// The gate board was activated again for another purpose.
        case gateSuperseded
        /// No board is registered under the ID of the gate board.
        case noSuchGate
        /// A gate in front of the gate board denied the gate board.
        indirect case gateDenied(Denial)
        /// The gates need each other: each board in the list waits for the next one.
        ///
        /// The list begins and ends with the same board. Break the cycle with `except:`, or remove
        /// one of the gates.
        case cycle([AnyBoardID])
        /// The board is inside a scope that is not live and has no entrance.
        ///
        /// See
        /// ``Motherboard/registerScope(_:enteredBy:with:replacing:switching:fileID:line:input:)``.
        case noEntrance
        /// The scope was entered, and its nested motherboard has no registration for the board.
        case notInside
        /// The motherboard completed or was released while the activation waited.
        case ownerGone
    }

    /// The board that the activation could not enter.
    public let board: AnyBoardID
    /// The gate board, or the board of the scope.
    public let gate: AnyBoardID
    /// The reason why the gate did not open.
    public let reason: Reason

    init(of board: AnyBoardID, by gate: AnyBoardID, _ reason: Reason) {
        self.board = board
        self.gate = gate
        self.reason = reason
    }

    /// Creates a denial that tests can compare with.
    public init<Contract, GateContract>(of board: BoardID<Contract>, by gate: BoardID<GateContract>, _ reason: Reason) {
        self.init(of: AnyBoardID(board), by: AnyBoardID(gate), reason)
    }

    /// A sentence for logs, which says how to fix the problem where that is possible.
    public var description: String {
        switch reason {
        case .noEntrance:
            "Board '\(board)' needs the scope '\(gate)', which is not live and has no entrance. Activate the scope, or set its "
                + "entrance with registerScope(_:enteredBy:)."
        case .notInside:
            "The scope '\(gate)' registers no board '\(board)'. Register it on the inner motherboard of the scope's board."
        default: "Gate '\(gate)' did not open for board '\(board)': \(reason)."
        }
    }
}

extension Denial.Reason: CustomStringConvertible {
    /// The name of the case and the boards in it.
    public var description: String {
        switch self {
        case .closed: "closed"
        case .gateDone: "gateDone"
        case .gateCancelled: "gateCancelled"
        case .gateFailed: "gateFailed"
        case .gateSuperseded: "gateSuperseded"
        case .noSuchGate: "noSuchGate"
        case .gateDenied(let denial): "gateDenied(by gate '\(denial.gate)': \(denial.reason))"
        case .cycle(let boards): "cycle(\(boards.map(\.name).joined(separator: " needs ")))"
        case .noEntrance: "noEntrance"
        case .notInside: "notInside"
        case .ownerGone: "ownerGone"
        }
    }

    /// Whether a user has refused or left the question, which is no mistake of the program.
    var isUsersDecision: Bool {
        switch self {
        case .closed, .gateCancelled: true
        case .gateDenied(let denial): denial.reason.isUsersDecision
        default: false
        }
    }

    static func completed(_ completion: Completion) -> Self {
        switch completion {
        case .done: .gateDone
        case .cancelled: .gateCancelled
        case .failed: .gateFailed
        }
    }
}
