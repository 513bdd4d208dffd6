import CampusAPI
import CampusTestSupport
import NIOCore
import ServerLimits
import Testing

/// Attacks that keep many connections open.
@Suite(.timeLimit(.minutes(5)))
struct ConnectionTests {
    private static let request = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n"

    @Test(arguments: ["", "GET /health", "GET /health HTTP/1.1\r\nHost: localhost\r\n"])
    func `a connection without a complete head is closed`(text: String) async throws {
        try await withAPI {
            $0.limits.headerTimeout = .milliseconds(50)
            $0.limits.idleTimeout = .seconds(3600)
        } _: { api async throws in
            #expect(try await RawConnection.reply(to: text, from: api).isEmpty)
        }
    }

    @Test func `a connection whose body does not arrive is closed`() async throws {
        try await withAPI {
            $0.limits.bodyTimeout = .milliseconds(50)
            $0.limits.idleTimeout = .seconds(3600)
        } _: { api async throws in
            let text = "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
            #expect(try await RawConnection.reply(to: text, from: api).isEmpty)
        }
    }

    @Test func `an idle connection is closed`() async throws {
        try await withAPI {
            $0.limits.idleTimeout = .seconds(1)
        } _: { api in
            let reply = try await RawConnection.reply(to: Self.request + "\r\n", from: api)
            #expect(reply.hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test func `while the maximum of connections is open, a further connection gets 503`() async throws {
        let log = LogCapture()
        try await withTemporaryDirectory { directory in
            var configuration = testConfiguration(in: directory)
            configuration.limits.maximumConnections = 1
            try await withAPI(configuration, logger: log.logger) { api in
                try await RawConnection.open(to: api) { inbound, outbound in
                    try await outbound.write(ByteBuffer(string: Self.request + "\r\n"))
                    var parts = inbound.makeAsyncIterator()
                    let first = try await parts.next()
                    #expect(first.map { String(buffer: $0).hasPrefix("HTTP/1.1 200 ") } == true)
                    for _ in 1...3 {
                        let refusal = try await RawConnection.get("/health/live", from: api)
                        #expect(refusal.hasPrefix("HTTP/1.1 503 "))
                        #expect(refusal.contains("\r\nRetry-After: 1\r\n"))
                    }
                }
                // The server learns of the end of a connection in its own time.
                while try await !RawConnection.get("/health/live", from: api).hasPrefix("HTTP/1.1 200 ") {}
            }
        }
        let lines = await log.finish()
        #expect(lines.count { $0.contains("The maximum number of connections is reached") } == 1)
    }

    @Test func `refused connections have a maximum, too, and further ones wait`() async throws {
        let log = LogCapture()
        try await withTemporaryDirectory { directory in
            var configuration = testConfiguration(in: directory)
            configuration.limits.maximumConnections = 1
            configuration.limits.headerTimeout = .seconds(3600)
            try await withAPI(configuration, logger: log.logger) { api in
                // One client is served and sends nothing, so it receives nothing.
                try await RawConnection.hold(32, to: api) { replies in
                    for await reply in replies.prefix(31) { #expect(reply.hasPrefix("HTTP/1.1 503 ")) }
                }
                while try await !RawConnection.get("/health/live", from: api).hasPrefix("HTTP/1.1 200 ") {}
            }
        }
        var (count, peak) = (0, 0)
        for line in await log.finish() {
            if line.hasPrefix("trace Connection opened.") { count += 1 }
            if line.hasPrefix("trace Connection closed.") { count -= 1 }
            peak = max(peak, count)
        }
        // One is served, and 16 are refused. The server accepts up to 4 at a time.
        #expect((2...20).contains(peak))
    }
}
