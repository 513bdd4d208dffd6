#if NATS
    internal import BackplaneConcurrency
    internal import Foundation

    /// One attempt of a worker at a job, from its delivery to its last word to the server.
    struct JobAttempt: Sendable {
        private enum Outcome {
            /// The host has everything, or has no use for it.
            case settled
            /// Another attempt has the job.
            case superseded
            case givenBack
            /// Nothing can be done about the job at the moment.
            case postponed
        }

        let connection: NATSConnection
        let worker: BoardWorker
        let board: ServedBoard
        let delivery: Delivery
        let outbox = Outbox()

        private var address: BoardAddress { board.address }

        func run() async {
            if worker.acknowledgesFirst { tell("+ACK") }
            guard let job = try? decode(Job.self, delivery.data),
                job.host.map({ isInboxSubject($0, connection.prefix) }) ?? true
            else {
                let job = Job(activation: UUID().uuidString, host: nil, input: delivery.data)
                let reason = "A message for '\(address)' is no job. Find out what else publishes to this subject."
                return await bury(job, reason) ? tell("+ACK") : postpone()
            }
            let runner = JobRunner(address)
            let outcome: Outcome
            if delivery.count > worker.attempts {
                outcome = await giveUp(job)
            } else {
                outcome = await report(on: job, to: runner) {
                    Task { outbox.finish(await end(of: job, on: runner)) }
                }
            }
            await runner.cancel()
            switch outcome {
            case .settled: tell("+ACK")
            case .superseded: break
            case .givenBack: tell("-NAK")
            case .postponed: postpone()
            }
        }

        /// Gives the job back for later, and for longer each time.
        private func postpone() {
            let delay = Duration.seconds(1 << min(delivery.count, 5))
            tell("-NAK {\"delay\": \(delay.nanoseconds)}")
        }

        private func tell(_ word: String) {
            connection.send(OutgoingMessage(subject: delivery.reply, data: Data(word.utf8)))
        }

        private func giveUp(_ job: Job) async -> Outcome {
            let error = NATSError(
                .deadLettered,
                "\(worker.attempts) workers began '\(address)', and none ended it. Look for a crash in their logs, then replay "
                    + "or discard the dead letter."
            )
            guard await bury(job, error.message) else { return .postponed }
            outbox.finish(End(error))
            return await report(on: job, to: nil) {}
        }

        private func end(of job: Job, on runner: JobRunner) async -> End {
            let result = await runner.run(
                board,
                job,
                into: outbox,
                payloadLimit: connection.payloadLimit,
                install: worker.install
            )
            switch result {
            case .end(let end): return end
            case .poison(let reason):
                // Without a place for the dead letter, the job stays where it is.
                if await !bury(job, reason) { outbox.giveBack() }
                return End(NATSError(.deadLettered, reason))
            }
        }

        /// Stores a dead letter; returns whether it is stored.
        private func bury(_ job: Job, _ reason: String) async -> Bool {
            let job = Job(activation: job.activation, host: nil, input: job.input)
            return (try? await connection.bury(job, address, reason)) != nil
        }

        /// Exchanges reports and commands with the host until the job is over.
        ///
        /// - Parameters:
        ///   - job: the job.
        ///   - runner: the actor that receives commands.
        ///   - begin: begins the work, once the host has said that the activation still lives.
        /// - Returns: why the attempt is over.
        private func report(on job: Job, to runner: JobRunner?, begin: @Sendable () -> Void) async -> Outcome {
            let token = "w.\(delivery.sequence).\(delivery.count).\(UUID().uuidString)"
            connection.inbox.setHandler(token) { _ in outbox.wake.wake() }
            defer { connection.inbox.setHandler(token, nil) }
            let subject = connection.inbox.subjectPrefix + token
            var isBegun = false
            var lastContact = ContinuousClock.now
            while !outbox.isGivenBack {
                tell("+WPI")
                let report = outbox.report(on: job, delivery, worker: subject, size: connection.payloadLimit)
                do {
                    let answer = try await answer(to: report, from: job.host)
                    lastContact = .now
                    switch answer.standing {
                    case .ended: return .settled
                    case .superseded: return .superseded
                    case .live: break
                    }
                    let hasMore = outbox.confirm(answer)
                    if !isBegun { begin() }
                    isBegun = true
                    await runner?.receive(answer.commands)
                    if hasMore {
                        // The host takes what it has room for.
                        let isStuck = answer.delivered < report.first + report.outputs.count - 1
                        if isStuck { try await Task.sleep(for: .milliseconds(10)) }
                        continue
                    }
                    await sleep()
                } catch {
                    // While there is no server, nothing says that the host is gone.
                    if !connection.isConnected { lastContact = .now }
                    if connection.inbox.isClosed { return .superseded }
                    guard ContinuousClock.now - lastContact < (isBegun ? .seconds(30) : .seconds(2)) else {
                        return .postponed
                    }
                    try? await Task.sleep(for: .milliseconds(50))
                }
            }
            return .givenBack
        }

        private func answer(to report: Report, from host: String?) async throws -> Answer {
            guard let host else {
                let last = report.first + report.outputs.count - 1
                return Answer(standing: report.end == nil ? .live : .ended, delivered: last, commands: [])
            }
            return try decode(Answer.self, try await connection.request(host, encode(report)).data)
        }

        /// Waits for news, but no longer than until the next sign of life is due.
        private func sleep() async {
            let timer = Task {
                try await Task.sleep(for: worker.heartbeat)
                outbox.wake.wake()
            }
            await outbox.wake.wait()
            timer.cancel()
        }
    }
#endif
