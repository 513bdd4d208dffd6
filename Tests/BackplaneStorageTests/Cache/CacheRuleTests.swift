import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneStorage

/// The rules of the cache, through the public API, for both stores.
@Suite(.timeLimit(.minutes(2)))
struct CacheRuleTests {
    // MARK: Freshness

    @Test(.rule("H1", "H3", "H13"), arguments: StoreKind.allCases)
    func `a response is served while its max-age lasts, with its age`(kind: StoreKind) async throws {
        let bench = CacheBench(kind)
        bench.count([.cacheControl: "max-age=60"])
        let service = try bench.service()
        #expect(try await service.get() == Got("1", .network))
        bench.clock.advance(by: .seconds(59))
        let second = try await service.get()
        #expect(second == Got("1", kind.source))
        #expect(second.fields[.age] == "59")
        bench.clock.advance(by: .seconds(1))
        #expect(try await service.get() == Got("2", .network))
    }

    @Test(
        .rule("H3"),
        arguments: [
            (["cache-control": "s-maxage=60"], false), (["cache-control": "private, max-age=60"], true),
            (["cache-control": "s-maxage=60, max-age=0", "etag": "\"a\""], false), (["expires": "0"], false),
            (["cache-control": "max-age=60", "expires": "0"], true),
            (["cache-control": "proxy-revalidate, max-age=60"], true),
        ] as [([String: String], Bool)]
    )
    func `only what concerns a private cache counts`(fields: [String: String], isFresh: Bool) async throws {
        let bench = CacheBench(.memory)
        bench.count(HTTPFields(fields))
        let service = try bench.service()
        _ = try await service.get()
        #expect(try await service.get().text == (isFresh ? "1" : "2"))
    }

    @Test(.rule("H3"), arguments: StoreKind.allCases)
    func `a lifetime is the time from Date to Expires`(kind: StoreKind) async throws {
        let bench = CacheBench(kind)
        bench.count([.date: bench.date(-5), .expires: bench.date(55)])
        let service = try bench.service()
        _ = try await service.get()
        bench.clock.advance(by: .seconds(54))
        #expect(try await service.get() == Got("1", kind.source))
        bench.clock.advance(by: .seconds(1))
        #expect(try await service.get() == Got("2", .network))
    }

    @Test(.rule("H3"), arguments: [false, true])
    func `a lifetime by estimate is optional`(isOn: Bool) async throws {
        let bench = CacheBench(.memory)
        bench.count([.date: bench.date(), .lastModified: bench.date(-1000)])
        let service = try bench.service { $0.usesHeuristicLifetimes = isOn }
        _ = try await service.get()
        bench.clock.advance(by: .seconds(99))
        #expect(try await service.get().text == (isOn ? "1" : "2"))
    }

    @Test(
        .rule("H4"),
        arguments: [
            ("50", false), ("49", true), ("49, 90", true), ("x", true), ("-90", true), ("99999999999999", false),
        ]
    )
    func `the age that a response has on arrival counts`(age: String, isFresh: Bool) async throws {
        let bench = CacheBench(.memory)
        bench.count([.cacheControl: "max-age=60", .age: age])
        let service = try bench.service()
        _ = try await service.get()
        bench.clock.advance(by: .seconds(10))
        #expect(try await service.get().text == (isFresh ? "1" : "2"))
    }

    @Test(.rule("H4"))
    func `the time that a response was on its way counts as its age`() async throws {
        let bench = CacheBench(.memory)
        bench.api.respond(to: .get, "x") { _ in
            bench.clock.advance(by: .seconds(7))
            return .status(.ok, headerFields: [.cacheControl: "max-age=60"])
        }
        let service = try bench.service()
        _ = try await service.get()
        #expect(try await service.get().fields[.age] == "7")
    }

    @Test(.rule("H1"), arguments: StoreKind.allCases)
    func `responses of other statuses are cached, too`(kind: StoreKind) async throws {
        let bench = CacheBench(kind)
        bench.count([.cacheControl: "max-age=60"], status: .notFound)
        let service = try bench.service()
        for _ in 1...2 { await #expect(throws: NetworkError.self) { try await service.get() } }
        #expect(bench.api.requests.count == 1)
        // The age of an endpoint's own concerns successful responses only.
        let endpoint = NonAuthenticatedEndpoint<Data>(.get("x")).cached(for: .seconds(60))
        await #expect(throws: NetworkError.self) { try await service.request(endpoint) }
        #expect(bench.api.requests.count == 2)
    }

    @Test(.rule("H1"))
    func `with an age of zero, the server is asked whether the response has changed`() async throws {
        let bench = CacheBench(.memory)
        bench.api.respond(
            to: .get,
            "x",
            with: .status(.ok, headerFields: [.eTag: "\"a\""], body: Data("1".utf8)),
            .status(.notModified)
        )
        let service = try bench.service()
        let endpoint = NonAuthenticatedEndpoint<Data>(.get("x")).cached(for: .zero).withSource()
        _ = try await service.request(endpoint)
        let (body, source) = try await service.request(endpoint)
        #expect(body == Data("1".utf8) && source == .revalidated)
        #expect(bench.received(.ifNoneMatch) == [nil, "\"a\""])
    }

    // MARK: Requests

    @Test(
        .rule("H6"),
        arguments: [
            ("no-cache", "2"), ("max-age=5", "2"), ("max-age=10", "1"), ("min-fresh=50", "1"), ("min-fresh=51", "2"),
            ("no-store", "2"), ("only-if-cached", "1"), ("max-stale", "1"), ("max-age=x", "2"),
        ]
    )
    func `a request can ask for more than the response grants`(wish: String, text: String) async throws {
        let bench = CacheBench(.memory)
        bench.count([.cacheControl: "max-age=60"])
        let service = try bench.service()
        _ = try await service.get()
        bench.clock.advance(by: .seconds(10))
        #expect(try await service.get("x", [.cacheControl: wish]).text == text)
    }

    @Test(.rule("H6"))
    func `a request that only accepts cached responses gets 504 without a request`() async throws {
        let bench = CacheBench(.memory)
        let service = try bench.service()
        let error = await #expect(throws: NetworkError.self) {
            try await service.get("x", [.cacheControl: "only-if-cached"])
        }
        #expect(error?.status == .gatewayTimeout)
        #expect(bench.api.requests.isEmpty)
    }

    @Test(.rule("H8"), arguments: ["If-None-Match", "If-Modified-Since", "If-Match", "Range", "If-Range"])
    func `a request with its own condition or range goes to the server`(name: String) async throws {
        let bench = CacheBench(.memory)
        bench.count([.cacheControl: "max-age=60"])
        let service = try bench.service()
        _ = try await service.get()
        let field = try #require(HTTPField.Name(name))
        #expect(try await service.get("x", [field: "\"a\""]) == Got("2", .notStored(.uncached)))
        #expect(try await service.get().text == "1")
    }

    // MARK: Storing

    @Test(
        .rule("H8", "H13"),
        arguments: [
            (200, [:], .noLifetime), (200, ["cache-control": "no-store, max-age=60"], .noStore),
            (206, ["cache-control": "max-age=60"], .status), (299, [:], .status),
            (200, ["cache-control": "max-age=60", "vary": "*"], .variesByAll),
            (200, ["cache-control": "max-age=60", "vary": "a, *"], .variesByAll),
            (200, ["cache-control": "max-age=60", "connection": "cache-control"], .variesByAll),
            (200, ["cache-control": "max-age=60", "content-length": "2"], .incomplete),
            (200, ["cache-control": "max-age=60", "content-length": "1, 2"], .incomplete),
        ] as [(Int, [String: String], ResponseSource.NotStored)]
    )
    func `a response that must not be stored says why`(
        status: Int,
        fields: [String: String],
        reason: ResponseSource.NotStored
    ) async throws {
        let bench = CacheBench(.memory)
        bench.count(HTTPFields(fields), status: .init(code: status))
        let service = try bench.service()
        #expect(try await service.get() == Got("1", .notStored(reason)))
        #expect(try await service.get() == Got("2", .notStored(reason)))
    }

    @Test(.rule("H13"))
    func `an endpoint without a cache says so`() async throws {
        let bench = CacheBench(.memory)
        bench.count([.cacheControl: "max-age=60"])
        #expect(try await bench.service().get(isCached: false) == Got("1", .notStored(.uncached)))
    }

    @Test(.rule("H2"), arguments: StoreKind.allCases)
    func `a response is served to requests with the same fields that it varies by`(kind: StoreKind) async throws {
        let bench = CacheBench(kind)
        bench.count([.cacheControl: "max-age=60", .vary: "Accept-Language, X-Kind"])
        let service = try bench.service()
        func text(_ language: String?, _ kind: String? = nil) async throws -> String {
            var fields = HTTPFields()
            fields[.acceptLanguage] = language
            HTTPField.Name("X-Kind").map { fields[$0] = kind }
            return try await service.get("x", fields).text
        }
        #expect(try await text("vi, en") == "1")
        #expect(try await text("en") == "2")
        #expect(try await text("vi,  en") == "1")
        #expect(try await text("en") == "2")
        #expect(try await text(nil) == "3")
        #expect(try await text("") == "4")
        #expect(try await text("en", "a") == "5")
        #expect(try await text(nil) == "3")
    }

    // MARK: Validation

    @Test(.rule("H7"), arguments: StoreKind.allCases)
    func `a 304 makes the response fresh again and updates its fields`(kind: StoreKind) async throws {
        let bench = CacheBench(kind)
        bench.api.respond(
            to: .get,
            "x",
            with: .status(
                .ok,
                headerFields: [
                    .cacheControl: "max-age=60", .eTag: "W/\"a\"", .lastModified: "yesterday", .contentLength: "1",
                    .server: "old", .age: "3",
                ],
                body: Data("1".utf8)
            ),
            .status(
                .notModified,
                headerFields: [
                    .cacheControl: "max-age=90", .eTag: "W/\"a\"", .contentLength: "0", .contentEncoding: "br",
                    .server: "new", .connection: "x-secret", .setCookie: "a=b",
                ]
            )
        )
        let service = try bench.service()
        _ = try await service.get()
        bench.clock.advance(by: .seconds(60))
        let second = try await service.get()
        #expect(second == Got("1", .revalidated))
        #expect(bench.received(.ifNoneMatch) == [nil, "W/\"a\""])
        #expect(bench.received(.ifModifiedSince) == [nil, "yesterday"])
        bench.clock.advance(by: .seconds(89))
        let third = try await service.get()
        #expect(third == Got("1", kind.source))
        #expect(third.fields[.server] == "new" && third.fields[.contentLength] == "1")
        #expect(third.fields[.contentEncoding] == nil && third.fields[.connection] == nil)
        #expect(third.fields[.age] == "89" && third.fields[.setCookie] == "a=b")
    }

    @Test(.rule("H7"), arguments: [["etag": "\"b\""], ["vary": "accept"], ["connection": "cache-control"]])
    func `a 304 about another response causes a request without conditions`(fields: [String: String]) async throws {
        let bench = CacheBench(.memory)
        bench.api.respond(
            to: .get,
            "x",
            with: .status(.ok, headerFields: [.cacheControl: "max-age=1", .eTag: "\"a\""], body: Data("1".utf8)),
            .status(.notModified, headerFields: HTTPFields(fields)),
            .status(.ok, headerFields: [.cacheControl: "max-age=60"], body: Data("2".utf8))
        )
        let service = try bench.service()
        _ = try await service.get()
        bench.clock.advance(by: .seconds(1))
        #expect(try await service.get() == Got("2", .network))
        #expect(bench.received(.ifNoneMatch) == [nil, "\"a\"", nil])
        #expect(try await service.get() == Got("2", .memory))
    }

    // MARK: Invalidation

    @Test(
        .rule("H9"),
        arguments: StoreKind.allCases,
        [(200, true), (204, true), (303, true), (500, true), (408, true), (404, false), (409, false), (422, false)]
    )
    func `a request that may have changed something removes the responses of its URL`(
        kind: StoreKind,
        outcome: (status: Int, isRemoved: Bool)
    ) async throws {
        let bench = CacheBench(kind)
        bench.count([.cacheControl: "max-age=60", .vary: "accept-language"])
        bench.api.respond(to: .post, "x", with: .status(.init(code: outcome.status)))
        let service = try bench.service()
        _ = try await service.get()
        _ = try await service.get("x", [.acceptLanguage: "vi"])
        _ = try? await service.request(NonAuthenticatedEndpoint<Void>(.post("x")))
        #expect(try await service.get().text == (outcome.isRemoved ? "3" : "1"))
        #expect(try await service.get("x", [.acceptLanguage: "vi"]).text == (outcome.isRemoved ? "4" : "2"))
    }

    @Test(.rule("H9"), arguments: StoreKind.allCases)
    func `a lost request removes the responses of its URL`(kind: StoreKind) async throws {
        let bench = CacheBench(kind)
        bench.count([.cacheControl: "max-age=60"])
        let purge = try #require(HTTPRequest.Method(rawValue: "PURGE"))
        bench.api.respond(to: purge, "x", with: .failure(URLError(.networkConnectionLost)))
        let service = try bench.service()
        _ = try await service.get()
        _ = try? await service.request(NonAuthenticatedEndpoint<Void>(EndpointRequest(method: purge, path: "x")))
        #expect(try await service.get().text == "2")
    }

    @Test(
        .rule("H9"),
        arguments: [
            ("/a", true), ("a", true), ("https://stub.test/a", true), ("https://stub.test:443/a#b", true),
            ("https://STUB.test/a", true), ("https://evil.test/a", false), ("http://stub.test/a", false),
            ("/a?b", false),
            ("//evil.test/a", false), ("::", false),
        ]
    )
    func `a response names other URLs of its origin that have changed`(text: String, isRemoved: Bool) async throws {
        let bench = CacheBench(.memory)
        bench.count([.cacheControl: "max-age=60"], at: "a")
        bench.api.respond(to: .post, "x", with: .status(.created, headerFields: [.location: text]))
        let service = try bench.service()
        _ = try await service.get("a")
        try await service.request(NonAuthenticatedEndpoint<Void>(.post("x")))
        #expect(try await service.get("a").text == (isRemoved ? "2" : "1"))
    }

    @Test(.rule("H9"), arguments: StoreKind.allCases)
    func `a response that is on its way during a write is not stored`(kind: StoreKind) async throws {
        let bench = CacheBench(kind)
        let latch = AsyncLatch()
        let old = StubbedResponse.status(.ok, headerFields: [.cacheControl: "max-age=60"], body: Data("old".utf8))
        bench.api.respond(to: .get, "x", with: old, after: latch)
        bench.api.respond(to: .put, "x", with: .status(.ok))
        let service = try bench.service()
        let read = Task { try await service.get() }
        await latch.arrivals(atLeast: 1)
        try await service.request(NonAuthenticatedEndpoint<Void>(.put("x")))
        latch.open()
        #expect(try await read.value == Got("old", .notStored(.superseded)))
        #expect(try await service.get().source == .network)
    }

    @Test(.rule("H9"), arguments: StoreKind.allCases)
    func `a cancelled write removes the responses of its URL`(kind: StoreKind) async throws {
        let bench = CacheBench(kind)
        let latch = AsyncLatch()
        bench.count([.cacheControl: "max-age=60"])
        bench.api.respond(to: .put, "x", with: .status(.ok), after: latch)
        let service = try bench.service()
        _ = try await service.get()
        let write = Task { try await service.request(NonAuthenticatedEndpoint<Void>(.put("x"))) }
        await latch.arrivals(atLeast: 1)
        write.cancel()
        _ = await write.result
        #expect(try await service.get().text == "2")
    }
}

extension HTTPFields {
    init(_ fields: [String: String]) {
        self.init()
        for (name, value) in fields { HTTPField.Name(name).map { self[$0] = value } }
    }
}
