#if NATS
    internal import BackplaneConcurrency
    internal import Foundation

    /// A connection to a NATS server with JetStream, for the boards and workers of one app.
    ///
    /// ```swift
    /// let nats = try await NATSConnection(servers: ["tls://nats.example.com"], prefix: "campus",
    ///     credentialsFile: "/etc/campus/nats.creds")
    /// motherboard.registerRemote(Transcript.id, through: nats)
    /// ```
    ///
    /// **Reconnection.** The connection lasts until ``close()`` or until its last reference is
    /// released. While no server can be reached, it tries again by itself. Work that needs the
    /// server waits for it until its own deadline, and then fails with
    /// ``NATSError/Code/unreachable``.
    ///
    /// **Subjects.** Every subject of the app begins with `prefix`. JetStream needs `$JS.API.>` and
    /// `$JS.ACK.>` as well. The streams `PREFIX_jobs` and `PREFIX_dead` are created when they are
    /// first needed. Streams that exist keep the settings that they have, so an operator may create
    /// them with other limits.
    ///
    /// **Payloads** never appear in errors.
    public final class NATSConnection: Sendable {
        let prefix: String
        let payloadLimit: Int
        let queueLimit: Int
        let replicas: Int
        let inbox: Inbox
        let calls = Locked<[String: RemoteCall]>([:])
        private let outgoing: AsyncStream<OutgoingMessage>.Continuation
        private let publishing: Task<Void, Never>
        /// Whether outputs that were delivered before are dropped; a test turns this off.
        let dropsRepeats = Locked(true)

        /// Opens a connection; a server that cannot be reached yet is no error.
        ///
        /// - Parameters:
        ///   - servers: the addresses of the server or of the servers of one cluster, such as
        ///     `nats://127.0.0.1:4222`; `tls://` encrypts and checks the server's certificate.
        ///   - prefix: the name of the app, of lowercase letters, digits and hyphens. Apps with
        ///     other prefixes never see one another.
        ///   - credentialsFile: the credentials file of the user, as `nsc` writes it.
        ///   - trustedCertificates: a file of certificates (PEM) that sign the server's
        ///     certificate, instead of those of the system.
        ///   - payloadLimit: the largest input, output or command in bytes. The server's
        ///     `max_payload` must be at least twice as large.
        ///   - queueLimit: the number of jobs and of dead letters that are stored at most; a full
        ///     queue answers ``NATSError/Code/busy``.
        ///   - replicas: the number of servers of a cluster that store each job.
        /// - Throws: ``NATSError`` with the code ``NATSError/Code/invalid`` if a setting cannot be
        ///   used.
        public init(
            servers: [String],
            prefix: String,
            credentialsFile: String? = nil,
            trustedCertificates: String? = nil,
            payloadLimit: Int = 256 * 1024,
            queueLimit: Int = 100_000,
            replicas: Int = 1
        ) async throws {
            let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789-")
            guard !prefix.isEmpty, prefix.count <= 32, prefix.allSatisfy(allowed.contains) else {
                throw NATSError(
                    .invalid,
                    "The prefix '\(prefix)' cannot begin a subject. Use up to 32 lowercase letters, digits and hyphens."
                )
            }
            guard !servers.isEmpty else {
                throw NATSError(.invalid, "The connection '\(prefix)' has no server. Give it at least one address.")
            }
            self.prefix = prefix
            self.payloadLimit = payloadLimit
            self.queueLimit = queueLimit
            self.replicas = replicas
            let (messages, outgoing) = AsyncStream.makeStream(of: OutgoingMessage.self)
            self.outgoing = outgoing
            inbox = Inbox(prefix: prefix) { job in
                if let reply = job.reply { outgoing.yield(OutgoingMessage(subject: reply, data: Data("-NAK".utf8))) }
            } reopen: {
                outgoing.yield(.reopen)
            }
            let settings = WireSettings(
                servers: servers,
                credentialsFile: credentialsFile,
                trustedCertificates: trustedCertificates
            )
            let wire = Wire(settings, inbox: inbox)
            try await wire.open()
            publishing = Task { await wire.publish(messages) }
            let calls = calls
            let dropsRepeats = dropsRepeats
            inbox.setHandler("h") { message in
                guard let reply = message.reply, let report = try? decode(Report.self, message.data),
                    report.isValid, isInboxSubject(report.worker, prefix), isInboxSubject(reply, prefix)
                else { return }
                let call = calls.withLock { $0[report.activation] }
                let answer =
                    call?.take(report, commandSize: payloadLimit, droppingRepeats: dropsRepeats.withLock { $0 })
                    ?? Answer(standing: .ended, delivered: 0, commands: [])
                outgoing.yield(OutgoingMessage(subject: reply, data: encode(answer)))
            }
        }

        deinit {
            outgoing.finish()
        }

        /// Whether a server is connected at the moment, for a status page.
        public var isConnected: Bool { inbox.isConnected }

        /// Closes the connection, and returns when it is closed.
        ///
        /// Activations that still run fail with ``NATSError/Code/unreachable``. Jobs that a worker
        /// of this connection still has are given to other workers when their time is over. A
        /// second call does nothing.
        public func close() async {
            outgoing.finish()
            await publishing.value
            for call in calls.withLock({ Array($0.values) }) { call.fail(inbox.unreachable) }
        }

        /// Sends a message without waiting for anything.
        func send(_ message: OutgoingMessage) {
            outgoing.yield(message)
        }

        /// Sends a request and returns the answer.
        ///
        /// - Throws: ``NATSError`` if nothing answers in time, and `CancellationError`.
        func request(
            _ subject: String,
            _ data: Data,
            id: String? = nil,
            timeout: Duration = .seconds(2)
        ) async throws -> IncomingMessage {
            let answer = try await inbox.wait(timeout: timeout) { reply in
                send(OutgoingMessage(subject: subject, reply: reply, data: data, id: id))
            }
            if answer.status == 503 { throw NATSError.nothingListens(subject) }
            return answer
        }
    }

    extension NATSError {
        static func nothingListens(_ subject: String) -> NATSError {
            NATSError(
                .unreachable,
                "Nothing listens to '\(subject)' on the NATS server. Start the server with JetStream (-js), and allow the "
                    + "user this subject."
            )
        }
    }

    /// Returns whether a subject from a message leads to a connection of the app, and nowhere else.
    func isInboxSubject(_ subject: String, _ prefix: String) -> Bool {
        subject.hasPrefix("\(prefix).inbox.")
            && subject.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    func encode(_ value: some Encodable) -> Data {
        // These types contain text, numbers and bytes only, which JSON can always express.
        (try? JSONEncoder().encode(value)) ?? Data()
    }

    func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
        try JSONDecoder().decode(type, from: data)
    }
#endif
