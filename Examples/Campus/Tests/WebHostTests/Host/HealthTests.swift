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
            _ = try await browser.get("/page/b")
            #expect(try await browser.get("/health/ready").status == 200)
        }
    }
}
