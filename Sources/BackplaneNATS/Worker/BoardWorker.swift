#if NATS
    public import Backplane
    internal import BackplaneConcurrency

    /// A worker that runs the boards which other processes have registered as remote.
    ///
    /// ```swift
    /// let worker = BoardWorker(nats, concurrency: 8) { motherboard in
    ///     motherboard.install(TranscriptModule(loadCourses: api.courses))
    /// }
    /// .serving(Transcript.id)
    /// await worker.run()
    /// ```
    ///
    /// Each job has a motherboard on an actor of its own. Only boards named by
    /// `serving(_:version:)` can be started from outside, and only under their version. Actions
    /// of a board do not leave the worker.
    ///
    /// **Repeated jobs.** A job is done at least once: again, if its worker ends or falls silent.
    /// Pass ``idempotencyKey`` on to what must happen once.
    public struct BoardWorker: Sendable {
        let install: @Sendable (Motherboard) -> Void
        let attempts: Int
        let heartbeat: Duration
        /// Whether a job is taken off its queue before the work; a test shows what is then lost.
        package var acknowledgesFirst = false
        private let connection: NATSConnection
        private let concurrency: Int
        private let grace: Duration
        private var served: [ServedBoard] = []

        static let key = TaskLocal<String?>(wrappedValue: nil)

        /// The identity of the job that the current task works for, the same in each attempt; `nil`
        /// outside a worker.
        ///
        /// Read it in a board's `activate(with:)`, or in work that starts there.
        public static var idempotencyKey: String? { key.get() }

        /// Creates a worker that serves nothing yet.
        ///
        /// - Parameters:
        ///   - connection: the connection to the server.
        ///   - concurrency: the number of jobs of each board that run at the same time.
        ///   - attempts: the number of times that a job is begun before it becomes a dead letter.
        ///   - heartbeat: the time between two signs of life. A job whose worker gives none for
        ///     three heartbeats goes to another worker. Give all workers of a board the same one.
        ///   - grace: the time that jobs have to end after ``run()`` was cancelled.
        ///   - install: registers the boards on the motherboard of a job.
        public init(
            _ connection: NATSConnection,
            concurrency: Int = 8,
            attempts: Int = 5,
            heartbeat: Duration = .seconds(3),
            grace: Duration = .seconds(10),
            install: @escaping @Sendable (Motherboard) -> Void
        ) {
            self.connection = connection
            self.concurrency = concurrency
            self.attempts = attempts
            self.heartbeat = heartbeat
            self.grace = grace
            self.install = install
        }

        /// Returns a worker that also serves a board.
        ///
        /// During a rolling deploy, serve the old version and the new one if the board can read
        /// both.
        ///
        /// - Parameters:
        ///   - id: the board's ID.
        ///   - version: the version of the contract, as in `registerRemote`.
        /// - Returns: the worker.
        public func serving<Contract>(_ id: BoardID<Contract>, version: Int = 1) -> BoardWorker
        where Contract.Input: Codable, Contract.Output: Codable, Contract.Command: Codable {
            serving(ServedBoard(id, version: version, .ofInput()))
        }

        /// Returns a worker that also serves a board without input.
        ///
        /// Everything else is the same as for a board with an input.
        public func serving<Contract>(_ id: BoardID<Contract>, version: Int = 1) -> BoardWorker
        where Contract.Input == Void, Contract.Output: Codable, Contract.Command: Codable {
            serving(ServedBoard(id, version: version, .withoutInput()))
        }

        private func serving(_ board: ServedBoard) -> BoardWorker {
            var worker = self
            worker.served.append(board)
            return worker
        }

        /// Does jobs until the task is cancelled or the connection is closed.
        ///
        /// After a cancellation, the worker takes no more jobs. It waits until the running ones
        /// have ended, or gives them to other workers when the grace is over. With
        /// ServiceLifecycle, write `cancelWhenGracefulShutdown { await worker.run() }`.
        public func run() async {
            let duty = Duty()
            await withTaskCancellationHandler {
                await withTaskGroup(of: Void.self) { group in
                    for board in served {
                        for _ in 0..<concurrency { group.addTask { await serve(board, duty) } }
                    }
                }
            } onCancel: {
                Task {
                    try await Task.sleep(for: grace)
                    duty.giveBackAll()
                }
            }
        }

        private func serve(_ board: ServedBoard, _ duty: Duty) async {
            var isPrepared = false
            while !Task.isCancelled, !connection.inbox.isClosed {
                do {
                    if !isPrepared { try await connection.createConsumer(for: board.address, wait: heartbeat * 3) }
                    isPrepared = true
                    guard let delivery = try await connection.pull(board.address) else { continue }
                    let attempt = JobAttempt(connection: connection, worker: self, board: board, delivery: delivery)
                    duty.begin(attempt.outbox)
                    // Not a child task: a cancellation of the worker is none of the job.
                    await Task { await attempt.run() }.value
                    duty.end(attempt.outbox)
                } catch {
                    isPrepared = false
                    try? await Task.sleep(for: .milliseconds(50))
                }
            }
        }
    }
#endif
