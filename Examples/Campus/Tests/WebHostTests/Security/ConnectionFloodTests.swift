import NIOCore
import NIOPosix
import ServerLimits
import Testing
import WebHost

/// Attacks that keep many connections to the host open.
@Suite(.timeLimit(.minutes(5)))
struct ConnectionFloodTests {
    @Test func `while the maximum of connections is open, a further connection gets 503`() async throws {
        var configuration = WebHostConfiguration()
        configuration.connections.maximumConnections = 1
        configuration.connections.headerTimeout = .seconds(3600)
        try await TestHost.run(configuration) { host in
            let client = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            var silent = try await client.connect(host: "127.0.0.1", port: host.port).get()
            // The host learns of the start and the end of a connection in its own time. Until it
            // has noticed the end of an earlier one, it refuses the silent one.
            var refusal = ""
            while !refusal.hasPrefix("HTTP/1.1 503 ") {
                if !silent.isActive { silent = try await client.connect(host: "127.0.0.1", port: host.port).get() }
                refusal = try await health(of: host)
            }
            #expect(refusal.contains("\r\nRetry-After: 1\r\n"))
            try? await silent.close()
            while try await !health(of: host).hasPrefix("HTTP/1.1 200 ") {}
        }
    }

    private func health(of host: TestHost) async throws -> String {
        try await RawRequest.get("/health/live", port: host.port)
    }
}
