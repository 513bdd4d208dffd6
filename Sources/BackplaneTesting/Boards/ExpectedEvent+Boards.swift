public import Backplane

// What boards do: being activated, sending, obeying, ending.
//
// A value to compare with has a type parameter of its own: of `Contract.Input` the compiler demands, a contract being
// `SendableMetatype`, that it can be compared on any actor.
extension ExpectedEvent {
    /// The board is activated with this input.
    public static func activated<Contract, Input: Equatable>(
        _ id: BoardID<Contract>,
        with input: Input
    ) -> ExpectedEvent where Contract.Input == Input {
        value(.activated, id, "with: ", input)
    }

    /// The board is activated, with any input or one that `predicate` is true of.
    public static func activated<Contract>(
        _ id: BoardID<Contract>,
        where predicate: ((Contract.Input) -> Bool)? = nil
    ) -> ExpectedEvent {
        any(.activated, id, predicate)
    }

    /// An activation with this input waits at the gate in front of the board.
    public static func waiting<Contract, Input: Equatable>(
        _ id: BoardID<Contract>,
        with input: Input
    ) -> ExpectedEvent where Contract.Input == Input {
        value(.waiting, id, "with: ", input)
    }

    /// An activation waits at the gate in front of the board, with any input or one that `predicate` is true of.
    public static func waiting<Contract>(
        _ id: BoardID<Contract>,
        where predicate: ((Contract.Input) -> Bool)? = nil
    ) -> ExpectedEvent {
        any(.waiting, id, predicate)
    }

    /// The board sends this output, and somebody takes it: a flow, a gate or a caller who awaits it.
    public static func output<Contract, Output: Equatable>(
        _ id: BoardID<Contract>,
        _ output: Output
    ) -> ExpectedEvent where Contract.Output == Output {
        value(.output, id, "", output)
    }

    /// The board sends an output that somebody takes: any, or one that `predicate` is true of.
    public static func output<Contract>(
        _ id: BoardID<Contract>,
        where predicate: ((Contract.Output) -> Bool)? = nil
    ) -> ExpectedEvent {
        any(.output, id, predicate)
    }

    /// The board sends this output, for which there is no flow.
    public static func unhandledOutput<Contract, Output: Equatable>(
        _ id: BoardID<Contract>,
        _ output: Output
    ) -> ExpectedEvent where Contract.Output == Output {
        value(.unhandledOutput, id, "", output)
    }

    /// The board sends an output for which there is no flow: any, or one that `predicate` is true of.
    public static func unhandledOutput<Contract>(
        _ id: BoardID<Contract>,
        where predicate: ((Contract.Output) -> Bool)? = nil
    ) -> ExpectedEvent {
        any(.unhandledOutput, id, predicate)
    }

    /// The board sends an output or an action after it has ended.
    public static func droppedOutput<Contract>(_ id: BoardID<Contract>) -> ExpectedEvent {
        event(.droppedOutput, id)
    }

    /// The live boards of the identity obey this command.
    public static func command<Contract, Command: Equatable>(
        _ id: BoardID<Contract>,
        _ command: Command
    ) -> ExpectedEvent where Contract.Command == Command {
        value(.command, id, "", command)
    }

    /// The live boards of the identity obey a command: any, or one that `predicate` is true of.
    public static func command<Contract>(
        _ id: BoardID<Contract>,
        where predicate: ((Contract.Command) -> Bool)? = nil
    ) -> ExpectedEvent {
        any(.command, id, predicate)
    }

    /// The board ends having finished.
    public static func completed<Contract>(_ id: BoardID<Contract>) -> ExpectedEvent {
        ended(id, "completed") { $0.isDone }
    }

    /// The board is ended before it has finished.
    public static func cancelled<Contract>(_ id: BoardID<Contract>) -> ExpectedEvent {
        ended(id, "cancelled") { $0.isCancelled }
    }

    /// The board fails, with any error or one that `predicate` is true of.
    public static func failed<Contract>(
        _ id: BoardID<Contract>,
        where predicate: (((any Error)) -> Bool)? = nil
    ) -> ExpectedEvent {
        ended(id, "failed", predicate == nil ? "" : " { … }") { completion in
            completion.error.map { predicate?($0) ?? true } ?? false
        }
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

    private static func any<Contract, Value>(
        _ kind: BoardEvent.Kind,
        _ id: BoardID<Contract>,
        _ predicate: ((Value) -> Bool)?
    ) -> ExpectedEvent {
        guard let predicate else { return event(kind, id) }
        return ExpectedEvent(kind, board: id.name, text: ".\(kind)(\(BoardText(id.name))) { … }") { payload in
            (payload as? Value).map(predicate) ?? false
        }
    }
}
