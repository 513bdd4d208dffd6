import BackplaneTesting
import CampusTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HealthTests {
    @Test(arguments: ["/health/live", "/health/ready"])
    func `a running host is alive and ready, and a health check begins no session`(path: String) async throws {
        let store = MemoryStore()
        try await TestHost.run(store: store) { host in
            let reply = try await Browser(host.port).get(path)
            #expect(reply.status == 200)
            #expect(reply.header("content-type") == "text/plain; charset=utf-8")
            #expect(reply.header("cache-control") == "no-store")
            #expect(reply.header("set-cookie") == nil)
        }
        #expect(await store.updateCount == 0)
    }

    @Test func `a host that cannot store its sessions is alive but not ready`() async throws {
        let store = MemoryStore()
        try await TestHost.run(store: store) { host in
            await store.setBroken(true)
            let browser = Browser(host.port)
            _ = try await browser.get("/page/a")
            let reply = try await browser.get("/health/ready")
            #expect(reply.status == 503)
            #expect(reply.body.contains("cannot be stored"))
            #expect(try await browser.get("/health/live").status == 200)

            await store.setBroken(false)
            #expect(try await browser.get("/health/ready").status == 200)
            #expect(await store.content.count(of: "window") == 1, "what was refused is stored now")
        }
    }

    @Test func `a host whose store breaks says so before anybody loses anything`() async throws {
        let store = MemoryStore()
        try await TestHost.run(store: store) { host in
            let browser = Browser(host.port)
            let first = try await browser.get("/health/ready")
            await store.setBroken(true)
            let kept = try await browser.get("/health/ready")
            host.clock.advance(by: .seconds(1))
            let last = try await browser.get("/health/ready")
            #expect([first, kept, last].map(\.status) == [200, 200, 503], "an answer is kept for a second")
        }
    }

    @Test func `a host whose app cannot store changes is not ready, and logs the reason`() async throws {
        let log = LogCapture()
        let check = { @Sendable () async throws in throw MemoryStore.Broken() }
        try await TestHost.run(logger: log.logger, check: check) { host in
            let reply = try await Browser(host.port).get("/health/ready")
            #expect(reply.status == 503)
            #expect(reply.body.contains("the app cannot store changes"))
        }
        #expect(await log.finish().contains { $0.hasPrefix("error") && $0.contains("Broken") })
    }
}
