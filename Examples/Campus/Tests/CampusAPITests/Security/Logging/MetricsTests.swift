import CampusModels
import CoreMetrics
import MetricsTestKit
import Testing

@testable import CampusAPI

@Suite(.timeLimit(.minutes(5)))
struct MetricsTests {
    @Test func `requests are counted and timed by route and status`() async throws {
        let metrics = TestMetrics()
        try await withMetricsFactory(metrics) {
            try await withAPI { api in
                let token = try await api.logIn(DemoUsers.ada).accessToken
                for course in ["abc123", "lin201"] { _ = try await api.get("/courses/\(course)", token: token) }
                _ = try await api.get("/courses/nothing", token: token)
                _ = try await api.get("/nowhere/\(token)")
            }
        }
        let route = ("http.route", "/courses/:id")
        let found = [route, ("http.response.status_code", "200")]
        #expect(metrics.counterTotal(label: "hb.requests", dimensions: found) == 2)
        #expect(metrics.timers(label: "http.server.request.duration", dimensions: found).count == 1)
        let missing = [route, ("http.response.status_code", "404")]
        #expect(metrics.counterTotal(label: "hb.requests", dimensions: missing) == 1)
        let unknown = [("http.route", "NotFound")]
        #expect(metrics.counterTotal(label: "hb.requests", dimensions: unknown) == 1, "one route for all unknown paths")
    }

    @Test func `the outcomes of log-ins are counted`() async throws {
        let metrics = TestMetrics()
        try await withMetricsFactory(metrics) {
            try await withAPI { api in
                _ = try await api.post("/login", DemoUsers.ada)
                _ = try await api.post("/login", LoginRequest(email: DemoUsers.ada.email, password: "wrong"))
            }
        }
        for verdict in ["succeeded", "failed"] {
            let dimensions = [("event", "login"), ("verdict", verdict)]
            #expect(metrics.counterTotal(label: "campus.api.security_events", dimensions: dimensions) == 1)
        }
    }

    @Test func `the number of waiting password checks is a gauge`() throws {
        let metrics = TestMetrics()
        withMetricsFactory(metrics) { PasswordVerifier.measure(3) }
        #expect(try metrics.expectGauge("campus.api.password_queue").lastValue == 3)
    }
}
