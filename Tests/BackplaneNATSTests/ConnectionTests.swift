#if NATS && (os(macOS) || os(Linux))
    import BackplaneConcurrency
    import BackplaneTesting
    import Foundation
    import Testing
    import TestSupport

    @testable import BackplaneNATS

    @Suite(.timeLimit(.minutes(1)), .serialized)
    struct ConnectionTests {
        private let address = BoardAddress(name: "a.b c", version: 2)

        @Test(.rule("X8")) func `a name becomes one token of a subject and no name becomes that of another`() {
            #expect(address.token == "a_2Eb_20c.v2")
            #expect(BoardAddress(name: "a_2Eb", version: 2).token == "a_5F2Eb.v2")
            #expect(BoardAddress(name: ">", version: 1).token == "_3E.v1")
            #expect(BoardAddress(name: "é\n", version: 1).token == "_C3_A9_0A.v1")
        }

        @Test(.rule("X8"), arguments: ["", "a.b", "a*", "Ä", ">", "a b", String(repeating: "a", count: 33)])
        func `a prefix that would reach into other subjects is refused`(_ prefix: String) async {
            let error = await #expect(throws: NATSError.self) {
                _ = try await NATSConnection(servers: ["nats://127.0.0.1:1"], prefix: prefix)
            }
            #expect(error?.code == .invalid)
        }

        @Test(.rule("X8")) func `a file that cannot be used is named`() async {
            let credentials = await #expect(throws: NATSError.self) {
                _ = try await NATSConnection(servers: ["nats://h:1"], prefix: "a", credentialsFile: "/none.creds")
            }
            #expect(credentials?.code == .invalid)
            #expect(credentials?.message.contains("/none.creds") == true)
            let certificates = await #expect(throws: NATSError.self) {
                _ = try await NATSConnection(servers: ["tls://h:1"], prefix: "a", trustedCertificates: "/none.pem")
            }
            #expect(certificates?.message.contains("/none.pem") == true)
        }

        @Test(.rule("X8")) func `only a server whose certificate is trusted is connected to`() async throws {
            let files = TemporaryDirectory()
            let openssl = URL(filePath: "/usr/bin/openssl")
            let made = try await TestProcess(
                openssl,
                [
                    "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost",
                    "-keyout", files.file("key.pem").path, "-out", files.file("cert.pem").path,
                ]
            )
            try #require(made.status == 0, "\(made.output)")
            let arguments = ["--tls", "--tlscert", files.file("cert.pem").path, "--tlskey", files.file("key.pem").path]
            try await withServer(scheme: "tls", arguments: arguments) { server in
                let trusting = try await NATSConnection(
                    servers: [server.url],
                    prefix: "test",
                    trustedCertificates: files.file("cert.pem").path
                )
                #expect(trusting.isConnected)
                let doubting = try await NATSConnection(servers: [server.url], prefix: "test")
                #expect(!doubting.isConnected)
                let error = await #expect(throws: NATSError.self) { try await doubting.deadLetters() }
                #expect(error?.code == .unreachable)
                await trusting.close()
                await doubting.close()
            }
        }

        @Test(.rule("X8")) func `a server that refuses the user is no hang and may accept the user later`() async throws
        {
            try await withServer(arguments: ["--user", "a", "--pass", "b"]) { server in
                let nats = try await NATSConnection(to: server)
                let error = await #expect(throws: NATSError.self) { try await nats.deadLetters() }
                #expect(error?.code == .unreachable)
                // The library gives a connection up after the second refusal.
                await server.kill()
                try await server.start(arguments: [])
                while (try? await nats.deadLetters()) == nil { await Task.yield() }
                await nats.close()
            }
        }

        @Test(.rule("X2")) func `a job is delivered again until it is acknowledged`() async throws {
            try await withServer { server in
                let nats = try await NATSConnection(to: server)
                try await nats.createConsumer(for: address, wait: .milliseconds(300))
                let position = try await nats.store(Data("job".utf8), in: .jobs, address, id: "1")
                let first = try #require(try await nats.pull(address))
                #expect(first.count == 1 && first.sequence == position && first.data == Data("job".utf8))
                // Nothing is said on the first delivery, and the second is given back.
                let second = try #require(try await nats.pull(address))
                #expect(second.count == 2)
                nats.send(OutgoingMessage(subject: second.reply, data: Data("-NAK".utf8)))
                let third = try #require(try await nats.pull(address))
                #expect(third.count == 3)
                nats.send(OutgoingMessage(subject: third.reply, data: Data("+ACK".utf8)))
                _ = try await nats.store(Data("next".utf8), in: .jobs, address, id: "2")
                #expect(try await nats.pull(address)?.data == Data("next".utf8))
                await nats.close()
            }
        }

        @Test(.rule("X2")) func `a job that arrives after its caller has left is given back`() async throws {
            try await withServer { server in
                let nats = try await NATSConnection(to: server)
                try await nats.createConsumer(for: address, wait: .seconds(100))
                let pull = Task { try await nats.pull(address) }
                // Its answer shows that the server has the request for a job as well.
                _ = try await nats.deadLetters()
                pull.cancel()
                await #expect(throws: CancellationError.self) { try await pull.value }
                _ = try await nats.store(Data(), in: .jobs, address, id: "1")
                #expect(try await nats.pull(address)?.count ?? 0 >= 1)
                await nats.close()
            }
        }

        @Test(.rule("X11")) func `a killed server is found again with what it stored`() async throws {
            try await withServer { server in
                let nats = try await NATSConnection(to: server)
                try await nats.createConsumer(for: address, wait: .seconds(10))
                _ = try await nats.store(Data("kept".utf8), in: .jobs, address, id: "1")
                await server.kill()
                let error = await #expect(throws: NATSError.self) { try await nats.deadLetters() }
                #expect(error?.code == .unreachable)
                try await server.start()
                var delivery: Delivery?
                while delivery == nil { delivery = try? await nats.pull(address) }
                #expect(delivery?.data == Data("kept".utf8))
                await nats.close()
            }
        }

        @Test(.rule("X11")) func `a wait ends when the connection closes, and so does a later one`()
            async throws
        {
            try await withServer { server in
                let nats = try await NATSConnection(to: server)
                try await nats.createConsumer(for: address, wait: .seconds(10))
                let pull = Task { try await nats.pull(address) }
                _ = try await nats.deadLetters()
                await nats.close()
                await nats.close()
                #expect(NATSError.code(of: await pull.result.failure) == .unreachable)
                await #expect(throws: NATSError.self) { try await nats.deadLetters() }
                #expect(!nats.isConnected)
            }
        }

        @Test(.rule("X11")) func `a connection that is released closes itself`() async throws {
            try await withServer { server in
                var nats: NATSConnection? = try await NATSConnection(to: server)
                let number = try #require(nats?.inbox.number)
                #expect(Inbox.inbox(at: number) != nil)
                nats = nil
                while Inbox.inbox(at: number) != nil { await Task.yield() }
            }
        }
    }

    extension Result {
        fileprivate var failure: Failure? {
            if case .failure(let error) = self { error } else { nil }
        }
    }
#endif
