#if NATS
    internal import BackplaneConcurrency
    internal import Foundation

    /// A message that the server delivered.
    struct IncomingMessage: Sendable {
        let subject: String
        let reply: String?
        let data: Data
        /// The status of a message from the server itself, such as 503 if nothing answers.
        let status: Int?
    }

    /// The messages for this connection on their way from the threads of the C library to tasks.
    ///
    /// The C library keeps a number instead of a pointer. A late callback of a closed connection
    /// finds nothing under its number, so no callback can outlive an object that it uses.
    final class Inbox: Sendable {
        private struct Pending: Sendable {
            let id: UInt64
            let continuation: CheckedContinuation<IncomingMessage, any Error>
        }

        private struct State: Sendable {
            var isConnected = false
            var isClosed = false
            var lastProblem = "it does not answer"
            var lastID: UInt64 = 0
            /// The callers that wait, by what they wait for; the oldest one gets the next message.
            var pending: [String: [Pending]] = [:]
            var handlers: [String: @Sendable (IncomingMessage) -> Void] = [:]

            mutating func takePending(_ token: String, at index: Int) -> Pending? {
                let caller = pending[token]?.remove(at: index)
                if pending[token]?.isEmpty == true { pending[token] = nil }
                return caller
            }
        }

        private static let all = Locked<(last: UInt, inboxes: [UInt: Inbox])>((0, [:]))

        static func inbox(at number: UInt) -> Inbox? { all.withLock { $0.inboxes[number] } }

        let number: UInt
        /// The subject before the token of each message, with a dot at its end.
        let subjectPrefix: String
        /// The beginning of the subjects of jobs, with a dot at its end.
        private let jobsPrefix: String
        private let state = Locked(State())
        /// Gives a job back that nothing waits for any more.
        private let giveBack: @Sendable (IncomingMessage) -> Void

        /// Asks for a new connection, because the library has given one up.
        private let reopen: @Sendable () -> Void

        init(
            prefix: String,
            giveBack: @escaping @Sendable (IncomingMessage) -> Void,
            reopen: @escaping @Sendable () -> Void
        ) {
            self.giveBack = giveBack
            self.reopen = reopen
            jobsPrefix = "\(prefix).jobs."
            subjectPrefix = "\(prefix).inbox.\(UUID().uuidString)."
            number = Self.all.withLock { all in
                all.last += 1
                return all.last
            }
        }

        func open() {
            Self.all.withLock { $0.inboxes[number] = self }
        }

        func close() {
            Self.all.withLock { _ = $0.inboxes.removeValue(forKey: number) }
            state.withLock { state in
                state.isClosed = true
                state.handlers = [:]
            }
            disconnected("the connection is closed")
        }

        var isConnected: Bool { state.withLock { $0.isConnected } }
        var isClosed: Bool { state.withLock { $0.isClosed } }

        func connected() {
            state.withLock { $0.isConnected = !$0.isClosed }
        }

        /// Fails everything that waits: its answer can be lost, and each caller asks again.
        func disconnected(_ problem: String) {
            let pending = state.withLock { state in
                state.isConnected = false
                if !problem.isEmpty { state.lastProblem = problem }
                defer { state.pending = [:] }
                return state.pending.values.flatMap { $0 }
            }
            for caller in pending { caller.continuation.resume(throwing: unreachable) }
        }

        /// The library has given the connection up, as it does if a server refuses the user twice.
        func lost(_ problem: String) {
            disconnected(problem)
            if !isClosed { reopen() }
        }

        var unreachable: NATSError {
            let problem = state.withLock { $0.isConnected ? "no answer came in time" : $0.lastProblem }
            return NATSError(
                .unreachable,
                "The NATS server cannot be reached (\(problem)). Check that it runs, its address, and the credentials; "
                    + "the connection tries again by itself."
            )
        }

        func setHandler(_ token: String, _ handler: (@Sendable (IncomingMessage) -> Void)?) {
            state.withLock { state in
                guard !state.isClosed || handler == nil else { return }
                state.handlers[token] = handler
            }
        }

        /// Sends a request by `send` and waits for the next message under a token.
        func wait(
            for token: String? = nil,
            timeout: Duration,
            send: (_ replySubject: String) -> Void
        ) async throws -> IncomingMessage {
            let id = state.withLock { state in
                state.lastID += 1
                return state.lastID
            }
            let token = token ?? "r.\(id)"
            let timer = Task {
                try await Task.sleep(for: timeout)
                self.fail(id, token) { self.unreachable }
            }
            defer { timer.cancel() }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let isConnected = state.withLock { state in
                        if state.isConnected {
                            state.pending[token, default: []].append(Pending(id: id, continuation: continuation))
                        }
                        return state.isConnected
                    }
                    guard isConnected else { return continuation.resume(throwing: unreachable) }
                    send(subjectPrefix + token)
                    if Task.isCancelled { fail(id, token) { CancellationError() } }
                }
            } onCancel: {
                fail(id, token) { CancellationError() }
            }
        }

        private func fail(_ id: UInt64, _ token: String, _ error: () -> any Error) {
            let caller = state.withLock { state -> Pending? in
                guard let index = state.pending[token]?.firstIndex(where: { $0.id == id }) else { return nil }
                return state.takePending(token, at: index)
            }
            caller?.continuation.resume(throwing: error())
        }

        /// Hands a message over; called on a thread of the C library.
        func receive(_ message: IncomingMessage) {
            // The server delivers a job under the subject that the job was published under.
            let isJob = message.subject.hasPrefix(jobsPrefix)
            let token =
                isJob
                ? "p." + message.subject.dropFirst(jobsPrefix.count)
                : String(message.subject.dropFirst(subjectPrefix.count))
            let (caller, handler) = state.withLock { state in
                (state.pending[token] == nil ? nil : state.takePending(token, at: 0), state.handlers[token])
            }
            if let caller {
                caller.continuation.resume(returning: message)
            } else if let handler {
                handler(message)
            } else if isJob {
                giveBack(message)
            }
        }
    }
#endif
