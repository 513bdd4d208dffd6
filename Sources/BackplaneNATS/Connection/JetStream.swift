#if NATS
    internal import Foundation

    /// A job that the server delivered to a worker.
    struct Delivery: Sendable {
        let data: Data
        /// The subject of the server's that takes the worker's word on the job.
        let reply: String
        /// The position of the job in its stream.
        let sequence: UInt64
        /// The number of times that the job was delivered, this time included.
        let count: Int

        init?(_ message: IncomingMessage) {
            // $JS.ACK.[domain.account.]stream.consumer.count.sequence.…
            guard let reply = message.reply else { return nil }
            let tokens = reply.split(separator: ".")
            let offset = tokens.count >= 11 ? 4 : 2
            guard reply.hasPrefix("$JS.ACK."), tokens.count >= 9, let count = Int(tokens[offset + 2]),
                let sequence = UInt64(tokens[offset + 3])
            else { return nil }
            self.reply = reply
            self.sequence = sequence
            self.count = count
            data = message.data
        }
    }

    /// The requests to JetStream that boards, workers and dead letters need.
    extension NATSConnection {
        enum Stream: String {
            case jobs, dead
        }

        private struct APIError: Decodable {
            let errCode: Int?
            let description: String?
        }

        private struct Outcome: Decodable {
            let error: APIError?
            let seq: UInt64?
            let message: Stored?
            let state: StreamState?
        }

        private struct StreamState: Decodable {
            let messages: UInt64
        }

        private struct Stored: Decodable {
            let seq: UInt64
            let data: Data?
        }

        private struct StreamSettings: Encodable {
            let name: String
            let subjects: [String]
            let retention: String
            let storage = "file"
            let discard = "new"
            let maxMsgs: Int
            let maxMsgSize: Int
            let numReplicas: Int
        }

        private struct ConsumerSettings: Encodable {
            let durableName: String
            let filterSubject: String
            let ackPolicy = "explicit"
            let deliverPolicy = "all"
            let ackWait: Int64
            // The worker counts: JetStream stops delivering a job in silence at its own limit.
            let maxDeliver = -1
            let maxAckPending = -1
            let maxWaiting = 4_096
        }

        private struct NewConsumer: Encodable {
            let streamName: String
            let config: ConsumerSettings
        }

        private struct Pull: Encodable {
            let batch = 1
            let expires: Int64
        }

        private struct Position: Encodable {
            let seq: UInt64
            var nextBySubj: String?
        }

        private func name(_ stream: Stream) -> String { "\(prefix)_\(stream)" }

        func subject(_ stream: Stream, _ address: BoardAddress) -> String { "\(prefix).\(stream).\(address.token)" }

        private static func encodeRequest(_ body: some Encodable) -> Data {
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            return (try? encoder.encode(body)) ?? Data()
        }

        private static func outcome(_ answer: IncomingMessage) -> Outcome? {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try? decoder.decode(Outcome.self, from: answer.data)
        }

        private func ask(_ subject: String, _ body: some Encodable) async throws -> Outcome {
            let answer = try await request("$JS.API.\(subject)", Self.encodeRequest(body))
            guard let outcome = Self.outcome(answer) else {
                throw NATSError(
                    .invalid,
                    "JetStream's answer to '\(subject)' cannot be read. Is the server newer than 2.9?"
                )
            }
            return outcome
        }

        private func ask(_ subject: String, for purpose: String, _ body: some Encodable) async throws -> Outcome {
            let outcome = try await ask(subject, body)
            if let error = outcome.error { throw Self.refusal(of: purpose, error) }
            return outcome
        }

        private static func refusal(
            of purpose: String,
            _ error: APIError,
            _ code: NATSError.Code = .invalid
        ) -> NATSError {
            NATSError(
                code,
                "JetStream refuses to \(purpose): \(error.description ?? "no reason given"). Check the server's limits "
                    + "and the permissions of the user."
            )
        }

        private func create(_ stream: Stream) async throws {
            let settings = StreamSettings(
                name: name(stream),
                subjects: ["\(prefix).\(stream).>"],
                retention: stream == .jobs ? "workqueue" : "limits",
                maxMsgs: queueLimit,
                // Inputs are written as Base64.
                maxMsgSize: payloadLimit * 2 + 4_096,
                numReplicas: replicas
            )
            let outcome = try await ask("STREAM.CREATE.\(name(stream))", settings)
            // 10058: an operator gave the stream other settings. 10065: another process creates it
            // at this moment, or another stream has the subjects.
            if let error = outcome.error, error.errCode != 10_058 {
                let code = error.errCode == 10_065 ? NATSError.Code.unreachable : .invalid
                throw Self.refusal(of: "create the stream \(name(stream))", error, code)
            }
        }

        /// Stores a message, and returns its position.
        func store(_ data: Data, in stream: Stream, _ address: BoardAddress, id: String) async throws -> UInt64 {
            let subject = subject(stream, address)
            let answer: IncomingMessage
            do {
                answer = try await request(subject, data, id: id)
            } catch let error as NATSError where error.code == .unreachable && isConnected {
                // Nothing listens to the subject before there is a stream.
                try await create(stream)
                answer = try await request(subject, data, id: id)
            }
            let outcome = Self.outcome(answer)
            if outcome?.error == nil, let position = outcome?.seq { return position }
            switch outcome?.error?.errCode {
            case 10_077, 10_023, 10_047:
                throw NATSError(
                    .busy,
                    "The stream \(name(stream)) is full, so '\(address)' was not stored. Try again later, start more workers, "
                        + "or raise the limit."
                )
            case 10_054: throw NATSError.tooLarge("A message for '\(address)'", payloadLimit)
            default:
                throw Self.refusal(
                    of: "store a message for '\(address)'",
                    outcome?.error ?? APIError(errCode: nil, description: nil)
                )
            }
        }

        /// Makes the consumer of one version of a board, or gives it another time to wait.
        func createConsumer(for address: BoardAddress, wait: Duration) async throws {
            try await create(.jobs)
            let settings = ConsumerSettings(
                durableName: address.consumer,
                filterSubject: subject(.jobs, address),
                ackWait: wait.nanoseconds
            )
            let new = NewConsumer(streamName: name(.jobs), config: settings)
            let subject = "CONSUMER.DURABLE.CREATE.\(name(.jobs)).\(address.consumer)"
            _ = try await ask(subject, for: "create the consumer of '\(address)'", new)
        }

        /// Returns the next job for one version of a board; `nil` if there is none for a while.
        func pull(_ address: BoardAddress) async throws -> Delivery? {
            let expires = Duration.seconds(20)
            let subject = "$JS.API.CONSUMER.MSG.NEXT.\(name(.jobs)).\(address.consumer)"
            let answer = try await inbox.wait(for: "p." + address.token, timeout: expires + .seconds(2)) { reply in
                send(
                    OutgoingMessage(
                        subject: subject,
                        reply: reply,
                        data: Self.encodeRequest(Pull(expires: expires.nanoseconds))
                    )
                )
            }
            switch answer.status {
            case nil: return Delivery(answer)
            case 404, 408: return nil
            case 503: throw NATSError.nothingListens(subject)
            // The consumer was deleted, or its server has changed.
            default:
                throw NATSError(.unreachable, "JetStream ended a request for jobs of '\(address)'; it is repeated.")
            }
        }

        func remove(_ position: UInt64, from stream: Stream) async throws -> Bool {
            let outcome = try await ask("STREAM.MSG.DELETE.\(name(stream))", Position(seq: position))
            return outcome.error == nil
        }

        /// Returns the first message of the app at a position or after it.
        func message(in stream: Stream, from position: UInt64) async throws -> (position: UInt64, data: Data)? {
            // Asked first, because server 2.9 ends with a panic if it is asked for a message of a
            // stream that is just being created.
            let info = try await ask("STREAM.INFO.\(name(stream))", [String: String]())
            // 10059: no stream, so nothing was ever stored.
            if let error = info.error, error.errCode != 10_059 {
                throw Self.refusal(of: "read the stream \(name(stream))", error)
            }
            guard info.state?.messages ?? 0 > 0 else { return nil }
            let start = Position(seq: position, nextBySubj: "\(prefix).\(stream).>")
            let outcome = try await ask("STREAM.MSG.GET.\(name(stream))", start)
            // 10037: no message.
            if let error = outcome.error {
                if error.errCode == 10_037 { return nil }
                throw Self.refusal(of: "read the stream \(name(stream))", error)
            }
            return outcome.message.map { ($0.seq, $0.data ?? Data()) }
        }
    }

    extension Duration {
        var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
    }

    extension NATSError {
        static func tooLarge(_ subject: String, _ limit: Int) -> NATSError {
            NATSError(
                .tooLarge,
                "\(subject) is larger than the limit of \(limit) bytes. Send a reference to stored data instead, or raise "
                    + "`payloadLimit` and the server's `max_payload`."
            )
        }
    }
#endif
