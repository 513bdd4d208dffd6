/// Why a gate did not open.
public struct Denial: Hashable, Sendable, CustomStringConvertible {
    /// The ways in which a gate fails to open.
    public enum Reason: Hashable, Sendable {
        /// An output of the gate was judged ``GateVerdict/closed``.
        case closed
        /// The gate finished without opening.
        case gateDone
        /// The gate was cancelled.
        case gateCancelled
        /// The gate failed with an error; its completion flows are given the error.
        case gateFailed
        /// The gate was activated again for another purpose.
        case gateSuperseded
        /// No board is registered under the gate's identity.
        case noSuchGate
        /// The motherboard completed or went while the activation waited.
        case ownerGone
    }

    /// The board that is the gate.
    public let gate: AnyBoardID
    /// Why it did not open.
    public let reason: Reason

    /// A denial, to compare with in tests.
    public init(gate: AnyBoardID, reason: Reason) {
        self.gate = gate
        self.reason = reason
    }

    /// A sentence for logs.
    public var description: String { "Gate '\(gate)' did not open: \(reason)." }
}

extension Denial.Reason {
    static func completed(_ completion: Completion) -> Self {
        switch completion {
        case .done: .gateDone
        case .cancelled: .gateCancelled
        case .failed: .gateFailed
        }
    }
}
