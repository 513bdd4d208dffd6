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
                let token = try await api.signIn(DemoUsers.ada).accessToken
                for course in ["abc123", "lin201"] { _ = try await api.get("/courses/\(course)", token: token) }
                _ = try await api.get("/courses/nothing", token: token)
                _ = try await api.head("/courses/abc123", token: token)
                _ = try await api.get("/nowhere/\(token)")
            }
        }
        func count(_ route: String, _ method: String, _ status: String) -> Int64 {
            let dimensions = [("route", route), ("method", method), ("status", status)]
            let timers = metrics.timers(label: "campus.api.request_duration", dimensions: dimensions)
            #expect(timers.count == 1)
            return metrics.counterTotal(label: "campus.api.requests", dimensions: dimensions)
        }
        #expect(count("/courses/{id}", "GET", "200") == 2)
        #expect(count("/courses/{id}", "GET", "404") == 1)
        #expect(count("/courses/{id}", "HEAD", "200") == 1)
        #expect(count("NotFound", "GET", "404") == 1, "one route for all unknown paths")
    }

    @Test func `the outcomes of sign-ins are counted`() async throws {
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
