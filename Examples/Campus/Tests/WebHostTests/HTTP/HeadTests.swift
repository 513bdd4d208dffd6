import AsyncHTTPClient
import BackplaneTesting
import MetricsTestKit
import NIOHTTP1
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HeadTests {
    private func head(_ path: String, _ browser: Browser) async throws -> Reply {
        var request = browser.request(path)
        request.method = .HEAD
        return try await browser.send(request)
    }

    @Test(arguments: [
        ("/", 200), ("/nowhere", 404), ("/secret", 403), ("/_host/app.js", 200),
        ("/health/live", 200),
    ])
    func `a HEAD request gets the status of the page, and creates no session or window`(
        path: String,
        status: Int
    ) async throws {
        let metrics = TestMetrics()
        try await TestHost.run(metrics: metrics) { host in
            host.probe.gate.open()
            let reply = try await head(path, Browser(host.port, isScripted: false))
            #expect(reply.status == status)
            #expect(reply.body.isEmpty)
            #expect(reply.header("content-length") != nil)
            #expect(reply.header("set-cookie") == nil)
            #expect(try metrics.expectGauge("web_host_sessions").lastValue ?? 0 == 0)
            #expect(try metrics.expectGauge("web_host_windows").lastValue ?? 0 == 0)
        }
    }

    @Test(arguments: ["/", "/health/live"])
    func `the response to a HEAD request ends with its header fields`(path: String) async throws {
        try await TestHost.run { host in
            let head = "HEAD \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
            let reply = try await RawRequest.send(head, port: host.port)
            #expect(reply.hasPrefix("HTTP/1.1 200 "))
            #expect(reply.firstRange(of: "\r\n\r\n")?.upperBound == reply.endIndex, "\(reply)")
        }
    }

    @Test func `a HEAD request does not change a window`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port, isScripted: false)
            let page = try await browser.get("/page/a")
            let window = try page.data("window")
            #expect(try await head("/page/b?_window=\(window)", browser).status == 200)
            _ = try await browser.post("note", ["text": "new"], on: page)
            #expect(try await browser.get("/page/a?_window=\(window)").text("note") == "new")
            #expect(await host.probe.activations(2) == ["/page/a", "/page/b"])
        }
    }
}
