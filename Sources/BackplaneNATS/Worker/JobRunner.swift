#if NATS
    internal import Backplane
    internal import Foundation

    /// A board that a worker serves, without its type.
    struct ServedBoard: Sendable {
        let address: BoardAddress
        /// Activates the board; called on the actor of the motherboard.
        let start: @Sendable (Motherboard, _ input: Data) throws -> any StartedBoard

        init<Contract>(_ id: BoardID<Contract>, version: Int, _ coding: Coding<Contract>) {
            address = BoardAddress(name: id.name, version: version)
            start = { motherboard, input in
                let input = try coding.decodeInput(input)
                return StartedActivation(motherboard.outputs(of: id, with: input), coding)
            }
        }
    }

    /// An activation on a worker, without its type.
    protocol StartedBoard: AnyObject {
        var completion: Completion? { get }
        /// Returns the next output; `nil` at the end.
        func next() async throws -> Data?
        func receive(_ command: Data) throws
    }

    private final class StartedActivation<Contract: BoardContract>: StartedBoard {
        private let activation: Activation<Contract>
        private var outputs: BoardOutputs<Contract>.AsyncIterator
        private let coding: Coding<Contract>

        init(_ outputs: BoardOutputs<Contract>, _ coding: Coding<Contract>) {
            activation = outputs.activation
            self.outputs = outputs.makeAsyncIterator()
            self.coding = coding
        }

        var completion: Completion? { activation.completion }

        func next() async throws -> Data? {
            var outputs = outputs
            guard let output = try await outputs.next() else { return nil }
            return try coding.encodeOutput(output)
        }

        func receive(_ command: Data) throws {
            activation.send(try coding.decodeCommand(command))
        }
    }

    /// The actor of one job, with a motherboard of its own.
    actor JobRunner {
        /// How a job ended.
        enum Result: Sendable {
            case end(End)
            /// No worker of this version can do the job.
            case poison(String)
        }

        private lazy var motherboard = Motherboard(owner: self)
        private var started: (any StartedBoard)?
        /// The commands that came before the board was activated.
        private var earlyCommands: [Data] = []
        private let address: BoardAddress

        init(_ address: BoardAddress) {
            self.address = address
        }

        func run(
            _ board: ServedBoard,
            _ job: Job,
            into outbox: Outbox,
            payloadLimit: Int,
            install: @Sendable (Motherboard) -> Void
        ) async -> Result {
            defer { motherboard.complete() }
            install(motherboard)
            do {
                let started = try BoardWorker.key.withValue(job.activation) { try board.start(motherboard, job.input) }
                self.started = started
                receive(earlyCommands)
                while let output = try await started.next() {
                    guard output.count <= payloadLimit else {
                        throw NATSError.tooLarge("An output of '\(address)'", payloadLimit)
                    }
                    guard outbox.add(output) else {
                        throw NATSError(
                            .busy,
                            "The host takes the outputs of '\(address)' more slowly than the board sends them. Send fewer."
                        )
                    }
                }
                return .end(started.completion?.isDone ?? false ? .done : .cancelled)
            } catch is CancellationError {
                return .end(.cancelled)
            } catch let error as NATSError {
                return .end(End(error))
            } catch let error as BoardError where error.board.name == address.name && error.code == .noSuchBoard {
                return .poison(
                    "A worker serves '\(address)' but does not register it. Register the board where the worker is made."
                )
            } catch  where started == nil {
                return .poison(
                    "The input of '\(address)' cannot be decoded by the worker. If its type has changed, raise the version."
                )
            } catch let error as BoardError {
                return .end(.failed(code: NATSError.Code.failed.description, message: error.message))
            } catch {
                // An error may quote what a user wrote.
                let message = "'\(address)' failed on its worker with an error of type \(type(of: error))."
                return .end(End(NATSError(.failed, message)))
            }
        }

        func receive(_ commands: [Data]) {
            guard started != nil else {
                earlyCommands += commands
                return
            }
            for command in commands {
                do {
                    try started?.receive(command)
                } catch {
                    motherboard.complete()
                }
            }
        }

        func cancel() {
            motherboard.complete()
        }
    }
#endif
