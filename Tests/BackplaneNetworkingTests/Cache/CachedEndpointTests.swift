import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CachedEndpointTests {
    private let api = NetworkStub()
    private let clock = ManualClock()

    private static func text(
        _ method: HTTPRequest.Method = .get,
        _ path: EndpointPath = "x",
        query: EndpointQuery = [:],
        headers: HTTPFields = [:],
        body: EndpointBody? = nil
    ) -> NonAuthenticatedEndpoint<String> {
        let request = EndpointRequest(method: method, path: path, query: query, headers: headers, body: body)
        return NonAuthenticatedEndpoint<Data>(request).map { String(decoding: $0, as: UTF8.self) }.cached(
            for: .seconds(60)
        )
    }

    /// Creates a controller whose server numbers its responses.
    ///
    /// `limit` is the size of the cache without the origins of `urls` URLs.
    private func service(
        path: String = "x",
        limit: Int? = nil,
        urls: Int = 1,
        headers: HTTPFields = [:],
        _ configure: (inout NetworkOptions) -> Void = { _ in }
    ) throws -> NonAuthenticatedNetworkController {
        let count = Watched(0)
        for method in [HTTPRequest.Method.get, .head, .put, .post, .patch, .delete] {
            api.respond(to: method, path) { _ in
                let number = count.update { count in
                    count += 1
                    return count
                }
                return StubbedResponse(.ok, headerFields: headers, body: Data("\(number)".utf8))
            }
        }
        return try api.service { options in
            options.clock = clock
            let origin = "https://api.example.com".utf8.count
            if let limit { options.cache = .memory(limit: limit + urls * origin) }
            configure(&options)
        }
    }

    @Test func `a response is cached for the endpoint's duration on the injected clock`() async throws {
        let service = try service()
        #expect(try await service.request(Self.text()) == "1")
        clock.advance(by: .milliseconds(59_999))
        #expect(try await service.request(Self.text()) == "1")
        clock.advance(by: .milliseconds(1))
        #expect(try await service.request(Self.text()) == "2")
        clock.advance(by: .seconds(59))
        #expect(try await service.request(Self.text()) == "2")
    }

    @Test func `a response is cached only if the endpoint declares a duration`() async throws {
        let service = try service()
        var endpoint = NonAuthenticatedEndpoint<Data>(.get("x"))
        _ = try await service.request(endpoint)
        endpoint = endpoint.cached(for: .seconds(60))
        #expect(try await service.request(endpoint) == Data("2".utf8))
    }

    @Test func `the age of a response counts from the start of its request`() async throws {
        let latch = AsyncLatch()
        api.respond(to: .get, "x", with: .json("1"), .json("2"), after: latch)
        let service = try api.service { $0.clock = clock }
        let request = Task { try await service.request(Self.text()) }
        await latch.arrivals(atLeast: 1)
        clock.advance(by: .seconds(10))
        latch.open()
        #expect(try await request.value == "1")
        clock.advance(by: .seconds(50))
        #expect(try await service.request(Self.text()) == "2")
    }

    @Test func `an age of zero reloads the response for all callers`() async throws {
        let service = try service()
        _ = try await service.request(Self.text())
        #expect(try await service.request(Self.text().cached(for: .zero)) == "2")
        #expect(try await service.request(Self.text()) == "2")
    }

    @Test(arguments: [HTTPRequest.Method.head, .put, .post, .patch, .delete])
    func `only GET responses come from the cache`(method: HTTPRequest.Method) async throws {
        let service = try service()
        for _ in 1...2 { _ = try await service.request(Self.text(method)) }
        #expect(api.requests.count == 2)
    }

    @Test func `a GET with a body is always sent`() async throws {
        let service = try service()
        _ = try await service.request(Self.text())
        let body = EndpointBody.data(Data("query".utf8))
        #expect(try await service.request(Self.text(body: body)) == "2")
        #expect(try await service.request(Self.text(body: body)) == "3")
    }

    @Test func `a request with another query or header field is another request`() async throws {
        let service = try service()
        #expect(try await service.request(Self.text()) == "1")
        #expect(try await service.request(Self.text(query: ["page": 2])) == "2")
        #expect(try await service.request(Self.text(headers: [.acceptLanguage: "vi"])) == "3")
        #expect(try await service.request(Self.text(headers: [.authorization: "Basic a"])) == "4")
        #expect(try await service.request(Self.text(headers: [.authorization: "Basic b"])) == "5")
        #expect(try await service.request(Self.text(query: ["page": 2])) == "2")
    }

    @Test func `a header field set by a middleware is part of the cache key`() async throws {
        let language = Watched("vi")
        let service = try service { options in
            options.change { $0.headerFields[.acceptLanguage] = language.value }
        }
        #expect(try await service.request(Self.text()) == "1")
        language.update { $0 = "en" }
        #expect(try await service.request(Self.text()) == "2")
        language.update { $0 = "vi" }
        #expect(try await service.request(Self.text()) == "1")
    }

    @Test(arguments: [
        ("no-store", false), ("private, No-Store", false), ("max-age=60,no-store", false),
        ("private, x=no-store", true),
    ])
    func `a response with no-store is not cached`(cacheControl: String, isCached: Bool) async throws {
        let service = try service(headers: [.cacheControl: cacheControl])
        _ = try await service.request(Self.text())
        #expect(try await service.request(Self.text()) == (isCached ? "1" : "2"))
    }

    @Test func `a rejected response is not cached`() async throws {
        api.respond(to: .get, "x", with: .status(.notFound), .json("2"))
        let service = try api.service()
        #expect(await networkError { try await service.request(Self.text()) }?.code == .rejected)
        #expect(try await service.request(Self.text()) == "2")
    }

    @Test func `a cached response is not observed as an exchange`() async throws {
        let exchanges = Watched(0)
        let service = try service { options in options.observe = { _ in exchanges.update { $0 += 1 } } }
        _ = try await service.request(Self.text())
        _ = try await service.request(Self.text())
        #expect(exchanges.value == 1)
    }

    @Test(arguments: [HTTPRequest.Method.put, .post, .patch, .delete])
    func `a write discards the cached responses of its URL only`(method: HTTPRequest.Method) async throws {
        let service = try service(path: "*")
        #expect(try await service.request(Self.text(.get, "x")) == "1")
        #expect(try await service.request(Self.text(.get, "x", headers: [.acceptLanguage: "vi"])) == "2")
        #expect(try await service.request(Self.text(.get, "y")) == "3")
        try await service.request(.visit(method))
        #expect(try await service.request(Self.text(.get, "x")) == "5")
        #expect(try await service.request(Self.text(.get, "x", headers: [.acceptLanguage: "vi"])) == "6")
        #expect(try await service.request(Self.text(.get, "y")) == "3")
    }

    @Test func `a read discards no cached response`() async throws {
        let service = try service()
        _ = try await service.request(Self.text())
        try await service.request(.visit(.head))
        #expect(try await service.request(Self.text()) == "1")
    }

    @Test func `a failed write also discards cached responses because its outcome is unknown`() async throws {
        let service = try service()
        api.respond(to: .put, "x", with: .failure(URLError(.networkConnectionLost)))
        _ = try await service.request(Self.text())
        _ = await networkError { try await service.request(.visit(.put)) }
        #expect(try await service.request(Self.text()) == "2")
    }

    @Test func `a response that is loading during a write is not cached`() async throws {
        let latch = AsyncLatch()
        api.respond(to: .get, "x", with: .json("old"), .json("new"), after: latch)
        api.respond(to: .put, "x", with: .status(.ok))
        let service = try api.service()
        let read = Task { try await service.request(Self.text()) }
        await latch.arrivals(atLeast: 1)
        try await service.request(.visit(.put))
        latch.open()
        #expect(try await read.value == "old")
        #expect(try await service.request(Self.text()) == "new")
    }

    @Test(.rule("N27")) func `an older load does not replace the response of a newer one`() async throws {
        let latch = AsyncLatch()
        api.respond(to: .get, "x", with: .json("old"), after: latch)
        let service = try api.service()
        let slow = Task { try await service.request(Self.text()) }
        await latch.arrivals(atLeast: 1)
        api.respond(to: .get, "x", with: .json("new"), .json("newest"))
        #expect(try await service.request(Self.text().cached(for: .zero)) == "new")
        #expect(try await service.request(Self.text()) == "new")
        latch.open()
        #expect(try await slow.value == "old")
        // Either response may be the newer one.
        #expect(try await service.request(Self.text()) == "newest")
    }

    @Test(.rule("N27"), arguments: [410, 404, 200])
    func `a reload replaces the cached response with any new response`(status: Int) async throws {
        let answer = StubbedResponse(.init(code: status), headerFields: [.cacheControl: "no-store"])
        api.respond(to: .get, "x", with: .json("old"), answer, .json("new"))
        let service = try api.service()
        #expect(try await service.request(Self.text()) == "old")
        _ = await networkError { try await service.request(Self.text().cached(for: .zero)) }
        #expect(try await service.request(Self.text()) == "new")
    }

    @Test(.rule("N27")) func `a reload without a response keeps the cached response`() async throws {
        api.respond(to: .get, "x", with: .json("old"), .failure(URLError(.networkConnectionLost)))
        let service = try api.service()
        #expect(try await service.request(Self.text()) == "old")
        _ = await networkError { try await service.request(Self.text().cached(for: .zero)) }
        #expect(try await service.request(Self.text()) == "old")
    }

    @Test(.rule("N27")) func `a load is cached, even if a request writes to another URL meanwhile`() async throws {
        let latch = AsyncLatch()
        api.respond(to: .get, "x", with: .json("1"), .json("2"), after: latch)
        api.respond(to: .post, "y", with: .status(.ok))
        let service = try api.service()
        let read = Task { try await service.request(Self.text()) }
        await latch.arrivals(atLeast: 1)
        try await service.request(NonAuthenticatedEndpoint<Void>(.post("y")))
        latch.open()
        #expect(try await read.value == "1")
        #expect(try await service.request(Self.text()) == "1")
    }

    @Test(.rule("N27"))
    func `a response that cannot be decoded is not cached, even if a middleware has loaded it`() async throws {
        api.respond(to: .get, "v2/x", with: .json("<html>"), .json(#"{"name":"Ada"}"#))
        let service = try api.service { options in
            options.change { $0.path = "/v2/x" }
        }
        let endpoint = NonAuthenticatedEndpoint<User>(.get("x")).cached(for: .seconds(60))
        #expect(await networkError { try await service.request(endpoint) }?.code == .undecodableResponse)
        #expect(try await service.request(endpoint) == User(name: "Ada"))
    }

    @Test(.rule("N26"))
    func `if a response refuses the token by the endpoint's rule, it is an error and is not cached`() async throws {
        let refusal = StubbedResponse(
            .ok,
            headerFields: [.wwwAuthenticate: #"Bearer error="invalid_token""#],
            body: Data("login".utf8)
        )
        api.respond(to: .get, "x", with: refusal, refusal, .json("1"))
        api.respond(to: .post, "token/refresh", with: .json(#"{"access_token":"access-1"}"#), .json("{}"))
        let account = try api.account()
        let endpoint = AuthenticatedEndpoint<Data>(.get("x")).cached(for: .seconds(60))
            .authenticationFails(with: [.ok], challenge: "invalid_token")
        let error = await networkError { try await account.request(endpoint) }
        #expect(error?.code == .unauthorized)
        #expect(error?.status == .ok)
        try await account.replaceTokens(with: .named("access-2"))
        #expect(try await account.request(endpoint) == Data("1".utf8))
    }

    @Test func `the cache has a limit, and removes the least recently used response first`() async throws {
        // Each entry has a path of two bytes, a body of one byte and no header fields. The test
        // uses "a" before an eviction is needed.
        let service = try service(path: "*", limit: 9, urls: 3)
        for path in ["a", "b", "c"] as [EndpointPath] { _ = try await service.request(Self.text(.get, path)) }
        #expect(try await service.request(Self.text(.get, "a")) == "1")
        #expect(try await service.request(Self.text(.get, "d")) == "4")
        #expect(try await service.request(Self.text(.get, "a")) == "1")
        #expect(try await service.request(Self.text(.get, "c")) == "3")
        #expect(try await service.request(Self.text(.get, "d")) == "4")
        #expect(try await service.request(Self.text(.get, "b")) == "5")
    }

    @Test func `a replaced or discarded response takes no space in the cache`() async throws {
        let service = try service(path: "*", limit: 7, urls: 2)
        _ = try await service.request(Self.text(.get, "a"))
        _ = try await service.request(Self.text(.get, "b"))
        for _ in 1...3 { _ = try await service.request(Self.text(.get, "b").cached(for: .zero)) }
        #expect(try await service.request(Self.text(.get, "a")) == "1")
        for _ in 1...3 {
            try await service.request(NonAuthenticatedEndpoint<Void>(.delete("b")))
            _ = try await service.request(Self.text(.get, "b"))
        }
        #expect(try await service.request(Self.text(.get, "a")) == "1")
    }

    @Test func `header fields of the request and of the response count toward the cache limit`() async throws {
        let service = try service(limit: 3 + "Accept-Language".utf8.count + 2, headers: [.server: "a"])
        _ = try await service.request(Self.text())
        #expect(try await service.request(Self.text()) == "1")
        _ = try await service.request(Self.text(headers: [.acceptLanguage: "vi"]))
        #expect(try await service.request(Self.text(headers: [.acceptLanguage: "vi"])) == "3")
    }

    @Test func `a response larger than the limit is not cached and removes nothing`() async throws {
        let service = try service(path: "*", limit: 8)
        _ = try await service.request(Self.text(.get, "a"))
        _ = try await service.request(Self.text(.get, "a-long-one"))
        #expect(try await service.request(Self.text(.get, "a-long-one")) == "3")
        #expect(try await service.request(Self.text(.get, "a")) == "1")
    }
}
