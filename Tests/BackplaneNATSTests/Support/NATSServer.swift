#if NATS && (os(macOS) || os(Linux))
    import BackplaneConcurrency
    import BackplaneTesting
    import Foundation
    import Testing
    import TestSupport

    @testable import BackplaneNATS

    /// A nats-server with JetStream, on a free port and with a folder of its own.
    final class NATSServer: Sendable {
        private struct State: Sendable {
            var process: pid_t = 0
            var port = 0
            var ended = Tally()
        }

        let directory = TemporaryDirectory()
        private let scheme: String
        private let arguments: [String]
        private let state = Locked(State())

        init(scheme: String = "nats", arguments: [String] = []) async throws {
            self.scheme = scheme
            self.arguments = arguments
            try await start()
        }

        var url: String { "\(scheme)://localhost:\(state.withLock { $0.port })" }

        /// Starts the server, on its earlier port if it ran before, and waits until it is ready.
        func start(arguments: [String]? = nil) async throws {
            let candidates = ["/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server"]
            let program = try #require(
                candidates.first { FileManager.default.isExecutableFile(atPath: $0) },
                "nats-server is not installed; run scripts/setup"
            )
            let process = Process()
            process.executableURL = URL(filePath: program)
            let port = state.withLock { $0.port }
            let portArgument = port == 0 ? "-1" : String(port)
            process.arguments = ["-js", "-sd", directory.url.path, "-a", "127.0.0.1", "-p", portArgument]
            process.arguments? += arguments ?? self.arguments
            let log = Pipe()
            process.standardError = log
            process.standardOutput = FileHandle.nullDevice
            let ended = Tally()
            process.terminationHandler = { _ in ended.add() }
            let text = Locked("")
            let (ports, readiness) = AsyncStream.makeStream(of: Int.self)
            log.fileHandleForReading.readabilityHandler = { handle in
                let data = handle.availableData
                if data.isEmpty {
                    handle.readabilityHandler = nil
                    return readiness.finish()
                }
                let text = text.withLock { text in
                    text += String(decoding: data, as: UTF8.self)
                    return text
                }
                guard text.contains("Server is ready"),
                    let match = text.firstMatch(of: /client connections on [0-9.]+:([0-9]+)/),
                    let port = Int(match.1)
                else { return }
                readiness.yield(port)
            }
            try process.run()
            let ready = await ports.first { _ in true }
            guard let ready else {
                Issue.record("nats-server does not start: \(text.withLock { $0 })")
                return
            }
            let identifier = process.processIdentifier
            state.withLock { $0 = State(process: identifier, port: ready, ended: ended) }
        }

        func kill() async {
            // Later, another process can have its number.
            let (process, ended) = state.withLock { state in
                defer { state.process = 0 }
                return (state.process, state.ended)
            }
            guard process != 0 else { return }
            _ = Foundation.kill(process, SIGKILL)
            await ended.expect(1)
        }

        func pause() { _ = Foundation.kill(state.withLock { $0.process }, SIGSTOP) }
        func resume() { _ = Foundation.kill(state.withLock { $0.process }, SIGCONT) }
    }

    /// Runs a test with a server of its own.
    func withServer(
        scheme: String = "nats",
        arguments: [String] = [],
        isolation: isolated (any Actor)? = #isolation,
        _ body: (NATSServer) async throws -> Void
    ) async throws {
        let server = try await NATSServer(scheme: scheme, arguments: arguments)
        do {
            try await body(server)
        } catch {
            await server.kill()
            throw error
        }
        await server.kill()
    }

    extension NATSConnection {
        /// Opens a connection of the app that the tests are.
        convenience init(to server: NATSServer, payloadLimit: Int = 64 * 1024, queueLimit: Int = 10_000) async throws {
            try await self.init(
                servers: [server.url],
                prefix: "test",
                payloadLimit: payloadLimit,
                queueLimit: queueLimit
            )
        }
    }
#endif
