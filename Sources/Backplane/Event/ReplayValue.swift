/// A value that an ``EventLog`` could not write, because it is not `Codable` or was withheld.
///
/// In a replay, it replaces every such input, output or command of its board: see
/// ``Motherboard/replay(_:supplying:)``.
public struct ReplayValue: ReadablePayload {
    private enum Role {
        case input, output, command
    }

    private let role: Role
    private let board: String
    private let value: Any

    /// Creates a value for the input of a board.
    public static func input<Contract>(_ input: Contract.Input, of id: BoardID<Contract>) -> ReplayValue {
        ReplayValue(role: .input, board: id.name, value: input)
    }

    /// Creates a value for the outputs of a board.
    public static func output<Contract>(_ output: Contract.Output, of id: BoardID<Contract>) -> ReplayValue {
        ReplayValue(role: .output, board: id.name, value: output)
    }

    /// Creates a value for the commands to a board.
    public static func command<Contract>(_ command: Contract.Command, to id: BoardID<Contract>) -> ReplayValue {
        ReplayValue(role: .command, board: id.name, value: command)
    }

    func stands(for entry: EventLog.Entry) -> Bool {
        let isOfRole =
            switch entry.kind {
            case .activated, .waiting: role == .input
            case .output, .unhandledOutput: role == .output
            case .command: role == .command
            default: false
            }
        return isOfRole && entry.board?.name == board
    }

    func read<Value>(as type: Value.Type) -> Value? { value as? Value }
}
