/// A value in place of what an ``EventLog`` could not write, because it is not `Codable` or was withheld.
///
/// It stands for each such input, output or command of its board: see ``Motherboard/replay(_:supplying:)``.
public struct ReplayValue: ReadablePayload {
    private enum Role {
        case input, output, command
    }

    private let role: Role
    private let board: String
    private let value: Any

    /// The input with which a board is activated.
    public static func input<Contract>(_ input: Contract.Input, of id: BoardID<Contract>) -> ReplayValue {
        ReplayValue(role: .input, board: id.name, value: input)
    }

    /// What a board sends.
    public static func output<Contract>(_ output: Contract.Output, of id: BoardID<Contract>) -> ReplayValue {
        ReplayValue(role: .output, board: id.name, value: output)
    }

    /// What a board is told.
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
