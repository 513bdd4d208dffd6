import MetricsTestKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MetricsTests {
    @Test func `sessions, windows, streams, turns and patches are measured`() async throws {
        let metrics = TestMetrics()
        try await TestHost.run(metrics: metrics) { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            _ = try await browser.get("/")
            let stream = try await browser.connect(page)
            _ = try await browser.post("increment", on: page)
            _ = await stream.next()
            #expect(try metrics.expectGauge("web_host_sessions").lastValue == 1)
            #expect(try metrics.expectGauge("web_host_windows").lastValue == 2)
            #expect(try metrics.expectGauge("web_host_streams").lastValue == 1)
            #expect(try metrics.expectCounter("web_host_patches").totalValue == 1)
            #expect(try !metrics.expectTimer("web_host_turn").values.isEmpty)
            await stream.close()
        }
        for gauge in ["web_host_sessions", "web_host_windows", "web_host_streams"] {
            #expect(try metrics.expectGauge(gauge).lastValue == 0)
        }
    }
}
