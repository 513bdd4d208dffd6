#if NATS
    internal import Backplane
    internal import Foundation

    /// How the values of a contract are written and read, as JSON.
    struct Coding<Contract: BoardContract>: Sendable {
        let encodeInput: @Sendable (Contract.Input) throws -> Data
        let decodeInput: @Sendable (Data) throws -> Contract.Input
        let encodeOutput: @Sendable (Contract.Output) throws -> Data
        let decodeOutput: @Sendable (Data) throws -> Contract.Output
        let encodeCommand: @Sendable (Contract.Command) throws -> Data
        let decodeCommand: @Sendable (Data) throws -> Contract.Command
    }

    extension Coding where Contract.Output: Codable, Contract.Command: Codable {
        private init(
            encodeInput: @escaping @Sendable (Contract.Input) throws -> Data,
            decodeInput: @escaping @Sendable (Data) throws -> Contract.Input
        ) {
            self.encodeInput = encodeInput
            self.decodeInput = decodeInput
            encodeOutput = { try JSONEncoder().encode($0) }
            decodeOutput = { try JSONDecoder().decode(Contract.Output.self, from: $0) }
            encodeCommand = { try JSONEncoder().encode($0) }
            decodeCommand = { try JSONDecoder().decode(Contract.Command.self, from: $0) }
        }

        static func ofInput() -> Self where Contract.Input: Codable {
            Self(
                encodeInput: { try JSONEncoder().encode($0) },
                decodeInput: { try JSONDecoder().decode(Contract.Input.self, from: $0) }
            )
        }

        static func withoutInput() -> Self where Contract.Input == Void {
            Self(encodeInput: { _ in Data() }, decodeInput: { _ in })
        }
    }
#endif
