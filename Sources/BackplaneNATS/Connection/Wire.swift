#if NATS
    internal import BackplaneConcurrency
    internal import CNATS
    internal import Foundation

    /// A message to publish.
    struct OutgoingMessage: Sendable {
        let subject: String
        var reply: String?
        var data = Data()
        /// The identity by which the server recognizes a repeated message for a while.
        var id: String?

        /// Asks for a new connection instead; no message has an empty subject.
        static let reopen = OutgoingMessage(subject: "")
    }

    /// The server and how to reach it.
    struct WireSettings: Sendable {
        let servers: [String]
        let credentialsFile: String?
        let trustedCertificates: String?
    }

    /// The owner of the handles of the C library, whose calls may block.
    ///
    /// The actor has a thread of its own, and only that thread uses the handles. The C library
    /// calls back on its threads; a callback copies the message, releases it, and hands the copy to
    /// the ``Inbox``.
    actor Wire {
        private nonisolated let executor = BlockingExecutor(label: "backplane.nats")
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        private let inbox: Inbox
        private let settings: WireSettings
        private var connection: OpaquePointer?
        private var subscription: OpaquePointer?

        init(_ settings: WireSettings, inbox: Inbox) {
            self.settings = settings
            self.inbox = inbox
        }

        /// Connects, or goes on trying in the background if the server is not there.
        func open() throws {
            inbox.open()
            do {
                try connect()
            } catch {
                close()
                throw error
            }
        }

        private func connect() throws {
            var options: OpaquePointer?
            try check(natsOptions_Create(&options), "the options of a connection cannot be made")
            defer { natsOptions_Destroy(options) }
            try configure(options)
            let number = UnsafeMutableRawPointer(bitPattern: inbox.number)
            natsOptions_SetRetryOnFailedConnect(
                options,
                true,
                { _, number in Inbox.inbox(at: UInt(bitPattern: number))?.connected() },
                number
            )
            natsOptions_SetReconnectedCB(
                options,
                { _, number in Inbox.inbox(at: UInt(bitPattern: number))?.connected() },
                number
            )
            natsOptions_SetDisconnectedCB(
                options,
                { connection, number in
                    Inbox.inbox(at: UInt(bitPattern: number))?.disconnected(lastProblem(of: connection))
                },
                number
            )
            natsOptions_SetClosedCB(
                options,
                { connection, number in Inbox.inbox(at: UInt(bitPattern: number))?.lost(lastProblem(of: connection)) },
                number
            )
            // Otherwise the library prints on standard error.
            natsOptions_SetErrorHandler(options, { _, _, _, _ in }, nil)
            let status = natsConnection_Connect(&connection, options)
            if status == NATS_OK {
                inbox.connected()
            } else if status == NATS_NOT_YET_CONNECTED {
                inbox.disconnected(lastProblem(of: connection))
            } else {
                try check(status, "the address '\(settings.servers.joined(separator: ", "))' cannot be used")
            }
            try subscribe()
        }

        private func configure(_ options: OpaquePointer?) throws {
            var servers = settings.servers.map { strdup($0).map { UnsafePointer($0) } }
            defer { for server in servers { free(UnsafeMutablePointer(mutating: server)) } }
            try check(
                natsOptions_SetServers(options, &servers, Int32(servers.count)),
                "an address in '\(settings.servers.joined(separator: ", "))' cannot be read"
            )
            if let file = settings.credentialsFile {
                guard FileManager.default.isReadableFile(atPath: file) else {
                    throw NATSError(
                        .invalid,
                        "The credentials file '\(file)' cannot be read. Check the path and its permissions."
                    )
                }
                try check(
                    natsOptions_SetUserCredentialsFromFiles(options, file, nil),
                    "the credentials file '\(file)' cannot be used"
                )
            }
            if let file = settings.trustedCertificates {
                try check(
                    natsOptions_LoadCATrustedCertificates(options, file),
                    "the file of trusted certificates '\(file)' cannot be used"
                )
            }
            // Otherwise each message waits for a thread that writes once in a millisecond.
            natsOptions_SetSendAsap(options, true)
            natsOptions_SetTimeout(options, 2_000)
            natsOptions_SetWriteDeadline(options, 2_000)
            natsOptions_SetMaxReconnect(options, -1)
            natsOptions_SetReconnectWait(options, 100)
            natsOptions_SetReconnectJitter(options, 100, 100)
            // A server that is stopped and keeps its connections is noticed after three pings.
            natsOptions_SetPingInterval(options, 5_000)
            natsOptions_SetMaxPingsOut(options, 2)
        }

        private func subscribe() throws {
            let receive: natsMsgHandler = { _, _, message, number in
                defer { natsMsg_Destroy(message) }
                guard let message, let inbox = Inbox.inbox(at: UInt(bitPattern: number)),
                    let subject = natsMsg_GetSubject(message)
                else { return }
                var status: UnsafePointer<CChar>?
                if natsMsgHeader_Get(message, "Status", &status) != NATS_OK { status = nil }
                let bytes = natsMsg_GetData(message)
                inbox.receive(
                    IncomingMessage(
                        subject: String(cString: subject),
                        reply: natsMsg_GetReply(message).map { String(cString: $0) },
                        data: bytes.map { Data(bytes: $0, count: Int(natsMsg_GetDataLength(message))) } ?? Data(),
                        status: status.flatMap { Int(String(cString: $0)) }
                    )
                )
            }
            let status = natsConnection_Subscribe(
                &subscription,
                connection,
                inbox.subjectPrefix + ">",
                receive,
                UnsafeMutableRawPointer(bitPattern: inbox.number)
            )
            // Given up meanwhile, which its callback tells.
            if status == NATS_CONNECTION_CLOSED { return }
            try check(status, "the connection cannot listen")
            natsSubscription_SetPendingLimits(subscription, -1, -1)
        }

        /// Publishes messages in order until the stream ends, and then closes the connection.
        func publish(_ messages: AsyncStream<OutgoingMessage>) async {
            for await message in messages {
                if message.subject.isEmpty { await reopen() } else { publish(message) }
            }
            close()
        }

        private func reopen() async {
            try? await Task.sleep(for: .milliseconds(500))
            destroy()
            do {
                try connect()
            } catch {
                inbox.lost("\(error)")
            }
        }

        // A message that cannot be sent is one that no answer comes to. Its sender asks again.
        private func publish(_ message: OutgoingMessage) {
            guard let connection else { return }
            message.data.withUnsafeBytes { bytes in
                var handle: OpaquePointer?
                let data = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                let status = natsMsg_Create(&handle, message.subject, message.reply, data, Int32(bytes.count))
                guard status == NATS_OK else { return }
                if let id = message.id { natsMsgHeader_Set(handle, "Nats-Msg-Id", id) }
                natsConnection_PublishMsg(connection, handle)
                natsMsg_Destroy(handle)
            }
        }

        private func close() {
            inbox.close()
            destroy()
        }

        private func destroy() {
            natsSubscription_Destroy(subscription)
            natsConnection_Destroy(connection)
            subscription = nil
            connection = nil
        }

        private func check(_ status: natsStatus, _ problem: String) throws {
            guard status != NATS_OK else { return }
            let text = natsStatus_GetText(status).map { String(cString: $0) } ?? "no details"
            throw NATSError(.invalid, "NATS: \(problem) (\(text)). Correct this setting of the connection.")
        }
    }

    private func lastProblem(of connection: OpaquePointer?) -> String {
        var text: UnsafePointer<CChar>?
        _ = natsConnection_GetLastError(connection, &text)
        return text.map { String(cString: $0) } ?? ""
    }
#endif
