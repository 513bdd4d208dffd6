#if NATS
    internal import Backplane
    internal import Foundation

    /// A board whose work is done by a worker.
    final class RemoteBoard<Contract: BoardContract>: Board {
        let slot: Slot<Contract>
        private let address: BoardAddress
        private let coding: Coding<Contract>
        private let deadline: Duration
        private let connection: NATSConnection
        private var call: RemoteCall?

        init(
            slot: Slot<Contract>,
            version: Int,
            coding: Coding<Contract>,
            deadline: Duration,
            connection: NATSConnection
        ) {
            self.slot = slot
            address = BoardAddress(name: slot.id.name, version: version)
            self.coding = coding
            self.deadline = deadline
            self.connection = connection
        }

        func activate(with input: Contract.Input) {
            let call = RemoteCall(to: address)
            self.call = call
            do {
                let input = try bounded(coding.encodeInput(input), "The input")
                task { try await self.follow(call, input) }
            } catch {
                complete(.failed(error))
            }
        }

        func receive(_ command: Contract.Command) {
            do {
                let command = try bounded(coding.encodeCommand(command), "A command")
                // A worker that is told to report gets the command with the answer.
                if let worker = try call?.add(command) { connection.send(OutgoingMessage(subject: worker)) }
            } catch {
                complete(.failed(error))
            }
        }

        private func bounded(_ data: Data, _ subject: String) throws -> Data {
            guard data.count <= connection.payloadLimit else {
                throw NATSError.tooLarge("\(subject) of '\(address)'", connection.payloadLimit)
            }
            return data
        }

        private func follow(_ call: RemoteCall, _ input: Data) async throws {
            let watching = Task { [connection, deadline] in
                try await connection.watch(call, input, deadline: deadline)
            }
            defer {
                connection.end(call)
                watching.cancel()
            }
            try await connection.submit(call, input, deadline: deadline)
            for try await event in call.events {
                switch event {
                case .output(let output): send(try read(output))
                case .ended(.done): complete()
                case .ended(.cancelled): complete(.cancelled)
                case .ended(.failed(let code, let message)):
                    throw NATSError(NATSError.Code(description: code), message)
                }
            }
        }

        private func read(_ output: Data) throws -> Contract.Output {
            do {
                return try coding.decodeOutput(output)
            } catch {
                throw NATSError(
                    .invalid,
                    "An output of '\(address)' cannot be decoded here. If its type has changed, raise the version on both sides."
                )
            }
        }
    }
#endif
