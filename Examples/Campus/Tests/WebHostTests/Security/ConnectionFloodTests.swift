import AsyncHTTPClient
import CampusTestSupport
import Logging
import NIOCore
import NIOHTTP1
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

    @Test(arguments: [(1, 9), (9, 1)])
    func `one client, or one network, cannot take all connections`(client: Int, network: Int) async throws {
        var configuration = WebHostConfiguration()
        configuration.connections.headerTimeout = .seconds(3600)
        configuration.connections.maximumOfClient = client
        configuration.connections.maximumOfNetwork = network
        let log = LogCapture()
        try await TestHost.run(configuration, logger: log.logger) { host in
            let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            // The first connection is counted when it gets a response.
            let taken = try await Browser(host.port).get("/health/live")
            #expect(taken.status == 200)
            var refusal = ""
            var silent: [any Channel] = []
            while !refusal.hasPrefix("HTTP/1.1 429 ") {
                silent.append(try await bootstrap.connect(host: "127.0.0.1", port: host.port).get())
                refusal = try await health(of: host)
            }
            #expect(refusal.contains("\r\nRetry-After: 10\r\n"))
            // Another network is still served.
            let elsewhere = try await bootstrap.bind(to: SocketAddress(ipAddress: "127.0.1.1", port: 0))
                .connect(host: "127.0.0.1", port: host.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                    }
                }
            let reply = try await elsewhere.executeThenClose { inbound, outbound in
                let request = "GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                try await outbound.write(ByteBuffer(string: request))
                var reply = ""
                for try await part in inbound { reply += String(buffer: part) }
                return reply
            }
            #expect(reply.hasPrefix("HTTP/1.1 200 "))
            for channel in silent { try? await channel.close() }
        }
        let lines = await log.finish()
        #expect(lines.contains { $0.contains("status 429") && $0.contains(client == 1 ? "127.0.0.1" : "127.0.0.0/24") })
    }

    @Test func `the streams of one client behind a proxy have a limit, and others are served`() async throws {
        var configuration = WebHostConfiguration()
        configuration.trustedProxies = ["127.0.0.1"]
        configuration.connections.maximumOfClient = 1
        configuration.connections.maximumOfNetwork = 2
        try await TestHost.run(configuration) { host in
            var streams: [EventConnection] = []
            for (address, status) in [
                ("2001:db8::1", 200), ("2001:db8::2", 429), ("2001:db8:0:1::1", 200), ("2001:db8:0:2::1", 429),
                ("2001:db8:1::1", 200),
            ] {
                let browser = Browser(host.port)
                let page = try await browser.get("/")
                var request = browser.request("/_host/windows/\(try page.data("window"))/events?version=0")
                request.headers.add(name: "x-forwarded-for", value: address)
                let response = try await browser.open(request)
                #expect(Int(response.status.code) == status, "\(address)")
                guard status == 200 else {
                    #expect(response.headers.first(name: "retry-after") == "10")
                    continue
                }
                let stream = EventConnection(response)
                #expect(await stream.next()?.name == "screen")
                streams.append(stream)
            }
            for stream in streams { await stream.close() }
        }
    }

    @Test func `the process may open as many files as the system allows`() {
        #expect(OpenFiles.raiseLimit() >= ServerLimits().maximumConnections)
        #expect(OpenFiles.raiseLimit() == OpenFiles.current)
    }

    private func health(of host: TestHost) async throws -> String {
        try await RawRequest.get("/health/live", port: host.port)
    }
}
