public import Backplane

// The events of boards, by what happened.
//
// Each value to compare has its own type parameter. The reason: a contract is `SendableMetatype`,
// so the compiler requires `Contract.Input` to be `Equatable` on any actor.
extension ExpectedEvent {
    /// The board is activated with this input.
    public static func activated<Contract, Input: Equatable>(
        _ id: BoardID<Contract>,
        with input: Input
    ) -> ExpectedEvent where Contract.Input == Input {
        value(.activated, id, "with: ", input)
    }

    /// The board is activated with any input, or with one that satisfies `predicate`.
    public static func activated<Contract>(
        _ id: BoardID<Contract>,
        where predicate: ((Contract.Input) -> Bool)? = nil
    ) -> ExpectedEvent {
        any(.activated, id, predicate)
    }

    /// An activation with this input waits at the board's gate.
    public static func waiting<Contract, Input: Equatable>(
        _ id: BoardID<Contract>,
        with input: Input
    ) -> ExpectedEvent where Contract.Input == Input {
        value(.waiting, id, "with: ", input)
    }

    /// An activation waits at the board's gate with any input, or with one that satisfies
    /// `predicate`.
    public static func waiting<Contract>(
        _ id: BoardID<Contract>,
        where predicate: ((Contract.Input) -> Bool)? = nil
    ) -> ExpectedEvent {
        any(.waiting, id, predicate)
    }

    /// The board sends this output, and a flow, a gate or an awaiting caller handles it.
    public static func output<Contract, Output: Equatable>(
        _ id: BoardID<Contract>,
        _ output: Output
    ) -> ExpectedEvent where Contract.Output == Output {
        value(.output, id, "", output)
    }

    /// The board sends an output that is handled: any output, or one that satisfies `predicate`.
    public static func output<Contract>(
        _ id: BoardID<Contract>,
        where predicate: ((Contract.Output) -> Bool)? = nil
    ) -> ExpectedEvent {
        any(.output, id, predicate)
    }

    /// The board sends this output, and no flow handles it.
    public static func unhandledOutput<Contract, Output: Equatable>(
        _ id: BoardID<Contract>,
        _ output: Output
    ) -> ExpectedEvent where Contract.Output == Output {
        value(.unhandledOutput, id, "", output)
    }

    /// The board sends an output that no flow handles: any output, or one that satisfies
    /// `predicate`.
    public static func unhandledOutput<Contract>(
        _ id: BoardID<Contract>,
        where predicate: ((Contract.Output) -> Bool)? = nil
    ) -> ExpectedEvent {
        any(.unhandledOutput, id, predicate)
    }

    /// The live boards with this ID receive this command.
    public static func command<Contract, Command: Equatable>(
        _ id: BoardID<Contract>,
        _ command: Command
    ) -> ExpectedEvent where Contract.Command == Command {
        value(.command, id, "", command)
    }

    /// The board completes with `done`.
    public static func completed<Contract>(_ id: BoardID<Contract>) -> ExpectedEvent {
        ended(id, "completed") { $0.isDone }
    }

    /// The board is cancelled.
    public static func cancelled<Contract>(_ id: BoardID<Contract>) -> ExpectedEvent {
        ended(id, "cancelled") { $0.isCancelled }
    }

    /// The board fails with any error, or with one that satisfies `predicate`.
    public static func failed<Contract>(
        _ id: BoardID<Contract>,
        where predicate: (((any Error)) -> Bool)? = nil
    ) -> ExpectedEvent {
        ended(id, "failed", predicate == nil ? "" : " { … }") { completion in
            completion.error.map { predicate?($0) ?? true } ?? false
        }
    }

    /// A motherboard handles this action.
    public static func action<Action: BoardFlowAction & Equatable>(_ action: Action) -> ExpectedEvent {
        value(.action, action)
    }

    /// No motherboard, up to the root, handles this action.
    public static func unhandledAction<Action: BoardFlowAction & Equatable>(_ action: Action) -> ExpectedEvent {
        value(.unhandledAction, action)
    }

    /// An event of this kind about this board, with any value.
    ///
    /// ```swift
    /// test.expect(.waiting(Course.id), .event(.gateDenied, Course.id))
    /// ```
    ///
    /// Test motherboards ignore the start and the end of tasks unless they are created with
    /// `ignoring: []`. A leak is measured with the clock of the test motherboard.
    public static func event<Contract>(_ kind: BoardEvent.Kind, _ id: BoardID<Contract>) -> ExpectedEvent {
        ExpectedEvent(kind, board: id.name, text: ".event(.\(kind), \(BoardText(id.name)))")
    }

    /// An event of this kind about any action of this type.
    public static func event<Action: BoardFlowAction>(
        _ kind: BoardEvent.Kind,
        _ type: Action.Type
    ) -> ExpectedEvent {
        ExpectedEvent(kind, text: ".event(.\(kind), \(type).self)") { $0 is Action }
    }

    private static func ended<Contract>(
        _ id: BoardID<Contract>,
        _ name: String,
        _ suffix: String = "",
        isExpected: @escaping (Completion) -> Bool
    ) -> ExpectedEvent {
        ExpectedEvent(.completed, board: id.name, text: ".\(name)(\(BoardText(id.name)))\(suffix)") { payload in
            (payload as? Completion).map(isExpected) ?? false
        }
    }

    private static func value<Contract, Value: Equatable>(
        _ kind: BoardEvent.Kind,
        _ id: BoardID<Contract>,
        _ label: String,
        _ value: Value
    ) -> ExpectedEvent {
        let text = ".\(kind)(\(BoardText(id.name)), \(label)\(ValueText(value).text))"
        return ExpectedEvent(kind, board: id.name, text: text) { $0 as? Value == value }
    }

    private static func value<Action: Equatable>(_ kind: BoardEvent.Kind, _ action: Action) -> ExpectedEvent {
        ExpectedEvent(kind, text: ".\(kind)(\(ValueText(qualified: action).text))") { $0 as? Action == action }
    }

    private static func any<Contract, Value>(
        _ kind: BoardEvent.Kind,
        _ id: BoardID<Contract>,
        _ predicate: ((Value) -> Bool)?
    ) -> ExpectedEvent {
        let text = ".\(kind)(\(BoardText(id.name)))\(predicate == nil ? "" : " { … }")"
        return ExpectedEvent(kind, board: id.name, text: text) { payload in
            guard let predicate else { return true }
            return (payload as? Value).map(predicate) ?? false
        }
    }
}
