import BackplaneConcurrency
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Requests that fail after an earlier attempt whose outcome is unknown.
@Suite(.timeLimit(.minutes(5)))
struct UnknownOutcomeTests {
    private let api = NetworkStub()
    private let lost = StubbedResponse.failure(URLError(.networkConnectionLost))

    private func service(
        _ configure: (inout NetworkOptions) -> Void = { $0.middlewares = [RetryMiddleware { _ in .zero }] }
    ) throws -> NonAuthenticatedNetworkController {
        try api.service(configure)
    }

    private func reply(_ status: Int) -> StubbedResponse { StubbedResponse(HTTPResponse.Status(code: status)) }

    /// `RequestOutcomeTests` has all statuses.
    @Test(
        .rule("N23"),
        arguments: [
            (.put, "1", 412, true), (.put, "1", 401, false), (.delete, "1", 412, true), (.delete, "1", 404, false),
            (.put, nil, 412, false), (.delete, nil, 404, false),
        ] as [(HTTPRequest.Method, String?, Int, Bool)]
    )
    func `only a response about a key is a refusal`(
        method: HTTPRequest.Method,
        key: String?,
        status: Int,
        isRefusal: Bool
    ) async throws {
        api.respond(to: method, "x", with: lost, reply(status))
        let visit = NonAuthenticatedEndpoint<Void>.visit(method)
        let error = await networkError { try await service().request(key.map { visit.idempotencyKey($0) } ?? visit) }
        #expect(error?.status?.code == (isRefusal ? status : nil))
        #expect(error?.code == (isRefusal ? .rejected : .transportFailed))
        #expect(error?.isRefusal == isRefusal)
        #expect(api.requests.count == 2)
    }

    @Test(.rule("N23")) func `after a server error, a later refusal is not reported either`() async throws {
        let answer = StubbedResponse(.serviceUnavailable, body: Data("busy".utf8))
        api.respond(to: .put, "x", with: answer, reply(412))
        let error = await networkError { try await service().request(.visit(.put)) }
        #expect(error?.code == .serverFailed)
        #expect(error?.body == Data("busy".utf8))
    }

    @Test(.rule("N23")) func `after a read, and after attempts without a connection, a refusal counts`() async throws {
        api.respond(to: .get, "x", with: lost, reply(404))
        api.respond(to: .put, "x", with: .failure(URLError(.cannotConnectToHost)), reply(412))
        let service = try service()
        #expect(await networkError { try await service.request(.visit()) }?.isRefusal == true)
        #expect(await networkError { try await service.request(.visit(.put)) }?.isRefusal == true)
    }

    @Test(.rule("N23"), arguments: ["origin", "status", "own error"])
    func `a middleware that resends cannot turn an unknown outcome into a refusal`(kind: String) async throws {
        api.respond(to: .post, "x", with: lost, reply(404))
        let service = try service {
            $0.intercept { request, body, _, next in
                do {
                    return try await next(request, body)
                } catch {
                    var request = request
                    if kind == "origin" { request.authority = "example.com" }
                    if kind == "own error" { throw NetworkError(.rejected, message: "No.") }
                    return try await next(request, body)
                }
            }
        }
        let error = await networkError { try await service.request(.visit(.post)) }
        #expect(error?.code == .transportFailed)
        #expect(api.requests.count == (kind == "status" ? 2 : 1))
    }

    @Test(.rule("N23")) func `an attempt that a middleware has cancelled may have been carried out`() async throws {
        let latch = AsyncLatch()
        api.respond(to: .post, "x", after: latch) { _ in .status(.ok) }
        let service = try service {
            $0.intercept { [api, latch] request, body, _, next in
                do {
                    async let _ = next(request, body)
                    await latch.arrivals(atLeast: 1)
                }
                api.respond(to: .post, "x", with: .status(.notFound))
                return try await next(request, body)
            }
        }
        let error = await networkError { try await service.request(.visit(.post)) }
        #expect(error?.isRefusal == false)
        #expect(api.requests.count == 2)
    }

    @Test(.rule("N23")) func `a caller that is cancelled before it begins sends nothing`() async throws {
        let sent = Watched(0)
        let greedy = InlineTransport { _, _ in
            sent.update { $0 += 1 }
            return (HTTPResponse(status: .ok), Data())
        }
        let service = try greedy.service()
        let latch = AsyncLatch()
        let call = Task {
            await latch.wait()
            try await service.request(.visit(.post))
        }
        call.cancel()
        latch.open()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(sent.value == 0)
    }

    @Test(.rule("N33")) func `an empty key counts as no key`() async throws {
        api.respond(to: .post, "x", with: lost, .status(.ok))
        api.respond(to: .put, "x", with: lost, reply(412))
        let service = try service()
        #expect(await networkError { try await service.request(.visit(.post).idempotencyKey("")) } != nil)
        #expect(api.requests.count == 1)
        #expect(api.requests[0].idempotencyKey == nil)
        let error = await networkError { try await service.request(.visit(.put).idempotencyKey("")) }
        #expect(error?.isRefusal == false)
    }

    @Test(.rule("N33"), arguments: ["refusal", "cached"])
    func `only a new successful response allows another retry`(kind: String) async throws {
        api.respond(to: .get, "y", with: .status(.ok))
        api.respond(to: .put, "x", with: .status(.notFound))
        api.respond(to: .get, "x", with: .status(.badGateway))
        let retry = RetryMiddleware(attempts: 2, reserve: 1, retriesPerSuccess: 1) { _ in .zero }
        let service = try service { $0.middlewares = [retry] }
        let cached = NonAuthenticatedEndpoint<Void>(.get("y")).cached(for: .seconds(60))
        try await service.request(cached)
        _ = await networkError { try await service.request(.visit()) }
        for _ in 0..<3 {
            if kind == "cached" {
                try await service.request(cached)
            } else {
                _ = await networkError { try await service.request(.visit(.put)) }
            }
        }
        let before = api.requests.count
        _ = await networkError { try await service.request(.visit()) }
        #expect(api.requests.count == before + 1)
    }

    @Test(.rule("N33"))
    @MainActor func `inside a retried operation, a request with a completion handler is sent once`() async throws {
        api.respond(to: .get, "x", with: .status(.serviceUnavailable))
        let service = try service()
        let account = service.account()
        await Retrying.$isUnderWay.withValue(true) {
            await service.request(.visit()) { _ in }.value
            await account.request(AuthenticatedEndpoint<Void>(.get("x"))) { _ in }.value
        }
        #expect(api.requests.count == 2)
    }
}
