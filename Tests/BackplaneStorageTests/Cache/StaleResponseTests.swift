import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneStorage

/// Stale responses, by RFC 5861 and as requests accept them.
@Suite(.timeLimit(.minutes(2)))
struct StaleResponseTests {
    private func response(_ text: String, _ cacheControl: String, tag: String? = nil) -> StubbedResponse {
        var fields: HTTPFields = [.cacheControl: cacheControl]
        fields[.eTag] = tag
        return .status(.ok, headerFields: fields, body: Data(text.utf8))
    }

    @Test(.rule("H10", "H13"), arguments: StoreKind.allCases)
    func `a stale response is served while one request gets a new one`(kind: StoreKind) async throws {
        let bench = CacheBench(kind)
        let latch = AsyncLatch()
        bench.api.respond(to: .get, "x", with: response("1", "max-age=10, stale-while-revalidate=5", tag: "\"a\""))
        let service = try bench.service()
        _ = try await service.get()
        bench.clock.advance(by: .seconds(14))
        bench.api.respond(to: .get, "x", with: response("2", "max-age=60"), after: latch)
        for _ in 1...3 { #expect(try await service.get() == Got("1", .stale(.whileRevalidating))) }
        await latch.arrivals(atLeast: 1)
        #expect(bench.received(.ifNoneMatch) == [nil, "\"a\""])
        latch.open()
        while try await service.get() != Got("2", kind.source) { await Task.yield() }
        #expect(bench.api.requests.count == 2)
    }

    @Test(
        .rule("H10"),
        arguments: [
            ("max-age=10, stale-while-revalidate=5", 16), ("max-age=10", 10),
            ("max-age=10, stale-while-revalidate=5, must-revalidate", 11),
            ("max-age=10, stale-while-revalidate=5, no-cache", 11), ("max-age=10, stale-while-revalidate=x", 11),
        ]
    )
    func `after its window, a stale response is not served`(cacheControl: String, seconds: Int) async throws {
        let bench = CacheBench(.memory)
        bench.api.respond(to: .get, "x", with: response("1", cacheControl, tag: "\"a\""), response("2", "no-store"))
        let service = try bench.service()
        _ = try await service.get()
        bench.clock.advance(by: .seconds(seconds))
        #expect(try await service.get().text == "2")
    }

    @Test(.rule("H10"), arguments: StoreKind.allCases, [nil, 500, 503])
    func `a stale response is served if the server cannot answer`(kind: StoreKind, status: Int?) async throws {
        let bench = CacheBench(kind)
        let failure = status.map { StubbedResponse.status(.init(code: $0)) }
        bench.api.respond(
            to: .get,
            "x",
            with: response("1", "max-age=10, stale-if-error=20"),
            failure ?? .failure(URLError(.notConnectedToInternet))
        )
        let service = try bench.service()
        _ = try await service.get()
        bench.clock.advance(by: .seconds(30))
        let got = try await service.get()
        #expect(got == Got("1", .stale(.afterError)))
        #expect(got.fields[.age] == "30")
        await #expect(throws: NetworkError.self) {
            try await service.request(
                NonAuthenticatedEndpoint<Data>(.get("x", headers: [.cacheControl: "no-cache"])).cached()
            )
        }
        bench.clock.advance(by: .seconds(1))
        await #expect(throws: NetworkError.self) { try await service.get() }
    }

    @Test(.rule("H10"), arguments: ["must-revalidate", "no-cache", "x"])
    func `no stale response is served after an error if the server forbids it`(directive: String) async throws {
        let bench = CacheBench(.memory)
        let first = response("1", "max-age=10, stale-if-error=20, \(directive)", tag: "\"a\"")
        bench.api.respond(to: .get, "x", with: first, .status(.serviceUnavailable))
        let service = try bench.service()
        _ = try await service.get()
        bench.clock.advance(by: .seconds(10))
        #expect((try? await service.get().text) == (directive == "x" ? "1" : nil))
    }

    @Test(.rule("H10"))
    func `a definite refusal is no reason for a stale response`() async throws {
        let bench = CacheBench(.memory)
        bench.api.respond(to: .get, "x", with: response("1", "max-age=1, stale-if-error=20"), .status(.notFound))
        let service = try bench.service()
        _ = try await service.get()
        bench.clock.advance(by: .seconds(2))
        await #expect(throws: NetworkError.self) { try await service.get() }
    }

    @Test(
        .rule("H6", "H10"),
        arguments: [
            ("max-stale", true), ("max-stale=5", true), ("max-stale=4", false), ("max-stale=9, max-age=3", false),
        ]
    )
    func `a request accepts stale responses up to a limit`(wish: String, isAccepted: Bool) async throws {
        let bench = CacheBench(.memory)
        bench.count([.cacheControl: "max-age=10"])
        let service = try bench.service()
        _ = try await service.get()
        bench.clock.advance(by: .seconds(15))
        let got = try await service.get("x", [.cacheControl: wish])
        #expect(got == (isAccepted ? Got("1", .stale(.accepted)) : Got("2", .network)))
    }

    @Test(.rule("H10", "H11"), arguments: StoreKind.allCases)
    func `a request in the background ends with the session`(kind: StoreKind) async throws {
        let bench = CacheBench(kind)
        let latch = AsyncLatch()
        bench.api.respond(to: .get, "x", with: response("1", "max-age=1, stale-while-revalidate=60"))
        let account = try bench.service().account("a")
        _ = try await account.get()
        bench.clock.advance(by: .seconds(2))
        bench.api.respond(to: .get, "x", with: response("2", "max-age=60"), response("3", "max-age=60"), after: latch)
        #expect(try await account.get() == Got("1", .stale(.whileRevalidating)))
        await latch.arrivals(atLeast: 1)
        try await account.signOut()
        try await account.signIn(with: NetworkTokens(access: AccessToken(rawValue: "b")))
        latch.open()
        #expect(try await account.get() == Got("3", .network))
    }

    @Test(.rule("H10"))
    func `a request in the background has a time limit`() async throws {
        let bench = CacheBench(.memory)
        let latch = AsyncLatch()
        bench.api.respond(to: .get, "x", with: response("1", "max-age=1, stale-while-revalidate=600"))
        let service = try bench.service { $0.timeout = .seconds(10) }
        _ = try await service.get()
        bench.clock.advance(by: .seconds(2))
        bench.api.respond(to: .get, "x", with: response("2", "max-age=60"), response("3", "max-age=60"), after: latch)
        #expect(try await service.get().source == .stale(.whileRevalidating))
        await latch.arrivals(atLeast: 1)
        bench.clock.advance(by: .seconds(10))
        // Another one can begin, because the first one has ended.
        while bench.api.requests.count < 3 { _ = try await service.get() }
        latch.open()
    }
}
