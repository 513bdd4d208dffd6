/// The reason why an activation was denied.
///
/// It names boards and never contains an input, so it may be logged.
public struct Denial: Hashable, Sendable, CustomStringConvertible {
    /// The ways in which a gate fails to open.
    ///
    /// More may be added, so a `switch` needs a `default`.
    public enum Reason: Hashable, Sendable {
        /// An output of the gate was judged ``GateVerdict/closed``.
        case closed
        /// The gate's board finished without opening.
        case gateDone
        /// The gate's board was cancelled.
        case gateCancelled
        /// The gate's board failed with an error; its completion flows receive the error.
        case gateFailed
        /// The gate's board was activated for something else.
        case gateSuperseded
        /// No board is registered under the gate's ID.
        case noSuchGate
        /// The gate's board was itself denied by a gate in front of it.
        indirect case gateDenied(Denial)
        /// The gates need each other: each board in the list waits for the next, and the last one is the first again.
        ///
        /// Break the circle with `except:` or by removing one of the gates.
        case circle([AnyBoardID])
        /// The board is inside a scope that is not live, and nothing says how that is entered:
        /// see ``Motherboard/registerScope(_:enteredBy:with:replacing:switching:fileID:line:input:)``.
        case noEntrance
        /// The scope was entered, and its board registers no such board inside.
        case notInside
        /// The motherboard completed or was released while the activation waited.
        case ownerGone
    }

    /// The board that was not entered.
    public let board: AnyBoardID
    /// The board that is the gate, or the scope.
    public let gate: AnyBoardID
    /// Why the gate did not open.
    public let reason: Reason

    /// Creates a denial, to compare with in tests.
    public init(of board: AnyBoardID, by gate: AnyBoardID, _ reason: Reason) {
        self.board = board
        self.gate = gate
        self.reason = reason
    }

    /// Creates a denial, to compare with in tests.
    public init<Contract, GateContract>(of board: BoardID<Contract>, by gate: BoardID<GateContract>, _ reason: Reason) {
        self.init(of: AnyBoardID(board), by: AnyBoardID(gate), reason)
    }

    /// A sentence for logs, with a remedy where one is needed.
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
    /// The name of the case, with the boards it names.
    public var description: String {
        switch self {
        case .closed: "closed"
        case .gateDone: "gateDone"
        case .gateCancelled: "gateCancelled"
        case .gateFailed: "gateFailed"
        case .gateSuperseded: "gateSuperseded"
        case .noSuchGate: "noSuchGate"
        case .gateDenied(let denial): "gateDenied(by gate '\(denial.gate)': \(denial.reason))"
        case .circle(let boards): "circle(\(boards.map(\.name).joined(separator: " needs ")))"
        case .noEntrance: "noEntrance"
        case .notInside: "notInside"
        case .ownerGone: "ownerGone"
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
