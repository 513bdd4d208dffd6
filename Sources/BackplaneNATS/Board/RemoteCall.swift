#if NATS
    internal import BackplaneConcurrency
    internal import Foundation

    /// One activation of a remote board, as the process that waits for it sees it.
    ///
    /// Reports arrive on a thread of the C library, one at a time. The board on its own actor reads
    /// ``events``.
    final class RemoteCall: Sendable {
        enum Event: Sendable {
            case output(Data)
            case ended(End)
        }

        private struct State: Sendable {
            /// The number of the last output that went to the board.
            var delivered = 0
            var commands: [Data] = []
            var isOver = false
            var latest: (position: UInt64, attempt: Int) = (0, 0)
            var worker: String?
            var lastSign = ContinuousClock.now
            var position: UInt64?
        }

        let activation = UUID().uuidString
        let address: BoardAddress
        let events: AsyncThrowingStream<Event, any Error>
        private let continuation: AsyncThrowingStream<Event, any Error>.Continuation
        private let state = Locked(State())
        private static let commandLimit = 1_000

        init(to address: BoardAddress) {
            self.address = address
            // The worker sends again what does not fit.
            (events, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingOldest(256))
        }

        /// Whether a worker has begun the job.
        var isBegun: Bool { state.withLock { $0.worker != nil } }
        var lastSign: ContinuousClock.Instant { state.withLock { $0.lastSign } }
        /// The position of the job in its stream, once the server has confirmed it.
        var position: UInt64? { state.withLock { $0.position } }

        func stored(at position: UInt64) { state.withLock { $0.position = position } }

        /// Delivers what is new in a report.
        func take(_ report: Report, commandSize: Int, droppingRepeats: Bool) -> Answer {
            state.withLock { state in
                guard !state.isOver else { return Answer(standing: .ended, delivered: state.delivered, commands: []) }
                let attempt = (report.position, report.attempt)
                guard attempt >= state.latest else {
                    // A second copy of the job carries the activation on, or another delivery of
                    // this one does.
                    let standing: Answer.Standing = report.position < state.latest.position ? .ended : .superseded
                    return Answer(standing: standing, delivered: state.delivered, commands: [])
                }
                if attempt != state.latest, !droppingRepeats { state.delivered = 0 }
                state.latest = attempt
                state.worker = report.worker
                state.lastSign = .now
                var isComplete = true
                for (number, output) in zip(report.first..., report.outputs) where number > state.delivered {
                    guard number == state.delivered + 1, case .enqueued = continuation.yield(.output(output)) else {
                        isComplete = false
                        break
                    }
                    state.delivered = number
                }
                if isComplete, let end = report.end, case .enqueued = continuation.yield(.ended(end)) {
                    continuation.finish()
                    state.isOver = true
                }
                return Answer(
                    standing: state.isOver ? .ended : .live,
                    delivered: state.delivered,
                    commands: state.commands.dropFirst(report.commands).fitting(commandSize)
                )
            }
        }

        /// Keeps a command for every attempt, and returns the subject of the worker that has the
        /// job.
        func add(_ command: Data) throws -> String? {
            try state.withLock { state in
                guard state.commands.count < Self.commandLimit else {
                    throw NATSError(
                        .busy,
                        "An activation of '\(address)' has received \(Self.commandLimit) commands, which are kept for a "
                            + "repeated attempt. Send fewer, or activate it anew."
                    )
                }
                state.commands.append(command)
                return state.worker
            }
        }

        /// Ends the activation with an error.
        func fail(_ error: NATSError) {
            state.withLock { $0.isOver = true }
            continuation.finish(throwing: error)
        }

        /// Ends the activation because nothing waits for it any more.
        ///
        /// - Returns: the subject of the worker that has the job; `nil` if there is none, or the
        ///   activation was over.
        func abandon() -> (wasOver: Bool, worker: String?) {
            let result = state.withLock { state in
                defer { state.isOver = true }
                return (state.isOver, state.worker)
            }
            continuation.finish()
            return result
        }
    }

    extension NATSConnection {
        /// Stores the job of a call, and returns when it is stored or a worker has begun it.
        func submit(_ call: RemoteCall, _ input: Data, deadline: Duration) async throws {
            calls.withLock { $0[call.activation] = call }
            let job = encode(Job(activation: call.activation, host: inbox.subjectPrefix + "h", input: input))
            let end = ContinuousClock.now + deadline
            while !call.isBegun {
                do {
                    return call.stored(at: try await store(job, in: .jobs, call.address, id: call.activation))
                } catch let error as NATSError where error.code == .unreachable {
                    guard ContinuousClock.now < end, !inbox.isClosed else { throw error }
                    // The copy that may have been stored does no harm: it has the same activation.
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
        }

        /// Fails a call when there was no sign of it for as long as its deadline.
        func watch(_ call: RemoteCall, _ input: Data, deadline: Duration) async throws {
            while ContinuousClock.now < call.lastSign + deadline {
                try await Task.sleep(until: call.lastSign + deadline, clock: .continuous)
            }
            guard !call.isBegun, isConnected, let position = call.position else { return call.fail(inbox.unreachable) }
            let error = NATSError(
                .unserved,
                "No worker began '\(call.address)' within \(deadline). Start a worker that serves this version, start more "
                    + "workers, or allow more time. The job is a dead letter."
            )
            call.fail(error)
            let job = Job(activation: call.activation, host: nil, input: input)
            // Not in this task, which ends with the call.
            Task {
                try await bury(job, call.address, error.message)
                _ = try await remove(position, from: .jobs)
            }
        }

        /// Ends a call, and its job wherever it is.
        func end(_ call: RemoteCall) {
            calls.withLock { _ = $0.removeValue(forKey: call.activation) }
            let (wasOver, worker) = call.abandon()
            guard !wasOver else { return }
            // Both are shortcuts. A worker that reports learns that the activation has ended.
            if let worker { return send(OutgoingMessage(subject: worker)) }
            if let position = call.position { Task { try await remove(position, from: .jobs) } }
        }
    }
#endif
