import AsyncHTTPClient
import BackplaneTesting
import CampusTestSupport
import MetricsTestKit
import NIOHTTP1
import Testing
import WebHost

/// Attacks that fill the memory of the host with sessions.
@Suite(.timeLimit(.minutes(5)))
struct SessionFloodTests {
    @Test(arguments: ["/nowhere", "/secret", "/slow/%zz", "/favicon.ico"])
    func `a page that is not shown begins no session`(target: String) async throws {
        let metrics = TestMetrics()
        try await TestHost.run(metrics: metrics) { host in
            let reply = try await RawRequest.get(target, port: host.port)
            #expect(reply.hasPrefix("HTTP/1.1 4"))
            #expect(!reply.lowercased().contains("set-cookie"))
            #expect(try metrics.expectGauge("web_host_sessions").lastValue ?? 0 == 0)
            #expect(try metrics.expectGauge("web_host_windows").lastValue ?? 0 == 0)
        }
    }

    @Test func `a flood of visitors from one address is refused, and a sign-in makes room`() async throws {
        var configuration = WebHostConfiguration()
        configuration.visitorLimit = 2
        let log = LogCapture()
        try await TestHost.run(configuration, security: log.logger) { host in
            let user = Browser(host.port)
            let page = try await user.get("/")
            let stream = try await user.connect(page)
            #expect(try await Browser(host.port).get("/").status == 200)

            let refused = try await Browser(host.port).get("/")
            #expect(refused.status == 503)
            #expect(refused.header("retry-after") == "60")
            #expect(refused.header("set-cookie") == nil)
            #expect(refused.body.contains("Too many visitors"))

            _ = try await user.post("signIn", on: page)
            #expect(await stream.next()?.name == "reconnect")
            #expect(try await Browser(host.port).get("/").status == 200)
            await stream.close()
        }
        let lines = await log.finish()
        #expect(lines.count == 1)
        #expect(lines.first?.contains("limit.visitors") ?? false)
        #expect(lines.first?.contains("127.0.0.1") ?? false)
    }

    @Test func `a flood from one address does not affect others`() async throws {
        var configuration = WebHostConfiguration()
        configuration.visitorLimit = 1
        configuration.trustedProxies = ["127.0.0.1"]
        try await TestHost.run(configuration) { host in
            for (address, status) in [
                ("198.51.100.1", 200), ("198.51.100.1", 503), ("198.51.100.2", 200),
                ("2001:db8::1", 200), ("2001:db8::2", 503), ("2001:db8:0:1::1", 200),
            ] {
                let browser = Browser(host.port)
                var request = browser.request("/")
                request.headers.add(name: "x-forwarded-for", value: address)
                let found = try await browser.send(request).status
                #expect(found == status, "\(address)")
            }
        }
    }

    @Test func `a flood from many addresses stops at the limit, and existing sessions continue`() async throws {
        var configuration = WebHostConfiguration()
        configuration.sessionLimit = 2
        let log = LogCapture()
        try await TestHost.run(configuration, security: log.logger) { host in
            var streams: [EventConnection] = []
            let user = Browser(host.port)
            for browser in [user, Browser(host.port)] {
                streams.append(try await browser.attach(try await browser.get("/")))
            }
            let refused = try await Browser(host.port).get("/")
            #expect(refused.status == 503)
            #expect(refused.header("retry-after") == "60")
            #expect(try await user.get("/").header("set-cookie") == nil)
            for stream in streams { await stream.close() }
        }
        #expect(await log.finish().contains { $0.contains("limit.sessions") })
    }

    @Test func `when all sessions are taken, an idle visitor of the largest network makes room`() async throws {
        var configuration = WebHostConfiguration()
        configuration.sessionLimit = 4
        configuration.trustedProxies = ["127.0.0.1"]
        try await TestHost.run(configuration) { host in
            /// Loads the start page, and returns whether a session has begun.
            func visit(_ browser: Browser, from address: String) async throws -> Bool {
                var request = browser.request("/")
                request.headers.add(name: "x-forwarded-for", value: address)
                let reply = try await browser.send(request)
                #expect(reply.status == 200)
                host.clock.advance(by: .seconds(1))
                return reply.header("set-cookie") != nil
            }
            let lonely = Browser(host.port)
            let flood = (1...3).map { _ in Browser(host.port) }
            let isNew = try await visit(lonely, from: "198.51.100.1")
            #expect(isNew)
            for (number, browser) in flood.enumerated() {
                #expect(try await visit(browser, from: "2001:db8:0:\(number)::1"))
            }
            let newcomer = Browser(host.port)
            #expect(try await visit(newcomer, from: "203.0.113.1"))
            #expect(try await !visit(lonely, from: "198.51.100.1"), "the first of all, but not of the flood")
            #expect(try await !visit(newcomer, from: "203.0.113.1"))
            #expect(try await !visit(flood[2], from: "2001:db8:0:2::1"))
            #expect(try await visit(flood[0], from: "2001:db8:0:0::1"), "it has made room")
        }
    }

    @Test func `a flood from one large network does not affect others`() async throws {
        var configuration = WebHostConfiguration()
        configuration.visitorLimit = 1
        configuration.visitorNetworkLimit = 2
        configuration.trustedProxies = ["127.0.0.1"]
        try await TestHost.run(configuration) { host in
            for (address, status) in [
                ("2001:db8:0:100::1", 200), ("2001:db8:0:101::1", 200), ("2001:db8:0:1ff::1", 503),
                ("2001:db8:1::1", 200), ("198.51.100.1", 200), ("198.51.100.2", 200), ("198.51.100.3", 503),
            ] {
                let browser = Browser(host.port)
                var request = browser.request("/")
                request.headers.add(name: "x-forwarded-for", value: address)
                let found = try await browser.send(request).status
                #expect(found == status, "\(address)")
            }
        }
    }

    @Test func `a visitor who does nothing is forgotten soon, and an active visitor is not`() async throws {
        try await TestHost.run { host in
            let idle = Browser(host.port, isScripted: false)
            _ = try await idle.get("/")
            let active = Browser(host.port, isScripted: false)
            let page = try await active.get("/")
            _ = try await active.post("increment", on: page)
            host.clock.advance(by: .seconds(5 * 60))
            await host.probe.endings(1)
            #expect(try await idle.get("/").header("set-cookie") != nil)
            host.clock.advance(by: .seconds(24 * 60))
            #expect(try await active.get("/").header("set-cookie") == nil)
        }
    }

    @Test func `a visitor who closes the page without doing anything is forgotten with its window`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let stream = try await browser.connect(try await browser.get("/"))
            await stream.close()
            await host.sleepers(2)  // the session's idle timeout and the window's grace period
            host.clock.advance(by: .seconds(30))
            let events = await host.probe.sessions(2)
            #expect(events.last == events.first?.replacing("made", with: "forgot"))
        }
    }

    @Test func `a long name of a client is cut`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port, isScripted: false)
            var request = browser.request("/")
            request.headers.add(name: "user-agent", value: String(repeating: "a", count: 10_000))
            let page = try await browser.send(request)
            let location = try #require(try await browser.post("client", on: page).header("location"))
            #expect(try await browser.get(location).text("note") == String(repeating: "a", count: 256))
        }
    }
}
