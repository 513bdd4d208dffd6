#if NATS && (os(macOS) || os(Linux))
    import Backplane
    import BackplaneConcurrency
    import BackplaneTesting
    import Testing

    @testable import BackplaneNATS

    /// Returns its input.
    enum Echo: BoardContract {
        typealias Input = String
        typealias Output = String
    }

    /// Counts up to its input, and then waits for commands.
    enum Transcript: BoardContract {
        typealias Input = Int
        enum Output: Codable, Equatable {
            case page(Int)
            case document(String)
        }
        enum Command: Codable {
            case finish(String)
            case write(String)
            case fail
        }
    }

    /// Takes no input and never ends.
    enum Endless: BoardContract {
        typealias Output = Int
    }

    struct Refused: Error {}

    /// The happenings on workers, for tests to wait for.
    final class WorkerLog: Sendable {
        let begun = Tally()
        let ended = Tally()
        let keys = Locked<[String]>([])

        func begin() {
            keys.withLock { $0.append(BoardWorker.idempotencyKey ?? "") }
            begun.add()
        }
    }

    final class TranscriptBoard: Board {
        let slot: Slot<Transcript>
        private let log: WorkerLog

        init(slot: Slot<Transcript>, log: WorkerLog) {
            self.slot = slot
            self.log = log
        }

        func activate(with pages: Int) {
            log.begin()
            for page in 0..<pages { send(.page(page)) }
        }

        func receive(_ command: Transcript.Command) {
            switch command {
            case .write(let text): send(.document(text))
            case .finish(let text): complete(sending: .document(text))
            case .fail: complete(.failed(Refused()))
            }
        }

        func didEnd(_ completion: Completion) { log.ended.add() }
    }

    final class EndlessBoard: Board {
        let slot: Slot<Endless>
        private let log: WorkerLog

        init(slot: Slot<Endless>, log: WorkerLog) {
            self.slot = slot
            self.log = log
        }

        func activate(with input: Void) {
            log.begin()
            send(1)
        }

        func didEnd(_ completion: Completion) { log.ended.add() }
    }

    extension BoardWorker {
        /// A worker of all test boards.
        static func serving(
            through connection: NATSConnection,
            log: WorkerLog,
            concurrency: Int = 2,
            attempts: Int = 5,
            grace: Duration = .zero
        ) -> BoardWorker {
            BoardWorker(
                connection,
                concurrency: concurrency,
                attempts: attempts,
                heartbeat: .milliseconds(200),
                grace: grace
            ) { motherboard in
                motherboard.registerTask(Echo.id) { input, _ in
                    log.begin()
                    return input
                }
                motherboard.register { slot in TranscriptBoard(slot: slot, log: log) }
                motherboard.register { slot in EndlessBoard(slot: slot, log: log) }
            }
            .serving(Echo.id)
            .serving(Transcript.id)
            .serving(Endless.id)
        }
    }

    /// Runs a test with workers, which end with it.
    func withWorker(
        _ worker: BoardWorker,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Void
    ) async throws {
        let running = Task { await worker.run() }
        do {
            try await body()
        } catch {
            running.cancel()
            await running.value
            throw error
        }
        running.cancel()
        await running.value
    }

    extension Tally {
        /// Waits for a count, and fails after a while.
        func expect(
            _ goal: Int,
            isolation: isolated (any Actor)? = #isolation,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async {
            let outcome = await reach(goal, by: .now + .seconds(15))
            if outcome != .reached { Issue.record("\(count) of \(goal) came.", sourceLocation: sourceLocation) }
        }
    }

    extension NATSError {
        /// The code of an error, or nil for one of another type.
        static func code(of error: (any Error)?) -> Code? { (error as? NATSError)?.code }
    }
#endif
