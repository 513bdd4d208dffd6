import BackplaneConcurrency
import BackplaneNetworking
import BackplaneTesting
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneStorage

/// Ten attacks on caches, by name.
@Suite(.timeLimit(.minutes(2)))
struct CacheAttackTests {
    private let fresh: HTTPFields = [.cacheControl: "max-age=3600"]

    /// Lets the server respond with the token of each request.
    private func echo(_ bench: CacheBench, _ fields: HTTPFields = [.cacheControl: "public, max-age=3600"]) {
        bench.api.respond(to: .get, "x") { request in
            .status(.ok, headerFields: fields, body: Data((request.bearer ?? "nobody").utf8))
        }
    }

    @Test(.rule("H2"), arguments: StoreKind.allCases)
    func `user B sees A's answer`(kind: StoreKind) async throws {
        let bench = CacheBench(kind)
        echo(bench)
        let service = try bench.service()
        let (a, b) = (service.account("a", named: "a"), service.account("b", named: "b"))
        for source in [ResponseSource.network, kind.source] {
            #expect(try await a.get() == Got("a", source))
            #expect(try await b.get() == Got("b", source))
            #expect(try await service.get() == Got("nobody", source))
        }
        // The next user of the same controller, whatever its account is called.
        try await a.signIn(with: NetworkTokens(access: AccessToken(rawValue: "b")))
        #expect(try await a.get() == Got("b", .network))
        #expect(try await service.account("c", named: "a").get() == Got("c", .network))
        // Credentials of the app's own.
        for text in ["Bearer k1", "Bearer k2"] {
            #expect(try await service.get("x", [.authorization: text]).text == String(text.dropFirst(7)))
        }
    }

    @Test(.rule("H11"), arguments: StoreKind.allCases, [nil, "ada"])
    func `stale after sign-out`(kind: StoreKind, name: String?) async throws {
        let bench = CacheBench(kind)
        echo(bench)
        let latch = AsyncLatch()
        let late = StubbedResponse.status(.ok, headerFields: fresh, body: Data("late".utf8))
        bench.api.respond(to: .get, "late", with: late, after: latch)
        let account = try bench.service().account("a", named: name)
        _ = try await account.get()
        let request = Task { try? await account.get("late") }
        await latch.arrivals(atLeast: 1)
        try await account.signOut()
        try await account.signIn(with: NetworkTokens(access: AccessToken(rawValue: "a2")))
        latch.open()
        #expect(await request.value == nil)
        #expect(try await account.get() == Got("a2", .network))
        #expect(try await account.get("late").source == .network)
        guard kind == .file else { return }
        // The responses of the new session are the only ones.
        let rows = try await DatabaseQueue(path: bench.file.path).read { database in
            try String.fetchAll(database, sql: "SELECT CAST(body AS TEXT) FROM response ORDER BY id")
        }
        #expect(rows == ["a2", "late"])
    }

    @Test(.rule("H2"), arguments: StoreKind.allCases)
    func `Vary bypass`(kind: StoreKind) async throws {
        let bench = CacheBench(kind)
        let (one, two) = (try #require(HTTPField.Name("X-One")), try #require(HTTPField.Name("X-Two")))
        bench.count([.cacheControl: "max-age=3600", .vary: "X-ONE,x-two"])
        let service = try bench.service()
        // Values that would be one text if they were joined, and fields that are repeated.
        var repeated = HTTPFields()
        repeated.append(HTTPField(name: one, value: "a"))
        repeated.append(HTTPField(name: one, value: "b"))
        let requests: [HTTPFields] = [
            [one: "a", two: "b"], [one: "ab"], [two: "ab"], [one: "a, b"], [one: "\"a , b\""], [one: "\"a,b\""],
            [one: "a,\"b"], [one: ""], [:], [one: "A"],
        ]
        for (number, fields) in requests.enumerated() {
            #expect(try await service.get("x", fields).text == "\(number + 1)")
        }
        #expect(try await service.get("x", repeated).text == "4")
        #expect(try await service.get("x", [one: "a", two: "b"]).text == "1")
    }

    @Test(.rule("H2"), arguments: StoreKind.allCases)
    func `key injection`(kind: StoreKind) async throws {
        let bench = CacheBench(kind)
        echo(bench)
        bench.api.respond(to: .get, "*") {
            .status(.ok, headerFields: fresh, body: Data("\($0.path)?\($0.query ?? "-")".utf8))
        }
        bench.api.respond(to: .get, "*/*") { .status(.ok, headerFields: fresh, body: Data("\($0.path)".utf8)) }
        let service = try bench.service()
        let accounts = ["a", "a:0", "everybody", "'; DROP TABLE response; --", "session:"].map {
            service.account($0, named: $0)
        }
        for account in accounts { _ = try await account.get("x") }
        for path in ["a", "a/b", "A", "a'--", "a:b", "a,b"] as [EndpointPath] {
            let first = try await service.get(path)
            #expect(first.source == .network)
            #expect(try await service.get(path) == Got(first.text, kind.source))
        }
        let a = NonAuthenticatedEndpoint<Data>(.get("a", query: ["b": nil])).cached()
        _ = try await service.request(a)
        #expect(try await service.get("a").text == "/a?-")
        for account in accounts { #expect(try await account.get("x").source == kind.source) }
    }

    @Test(.rule("H7"), arguments: StoreKind.allCases)
    func `poisoned 304`(kind: StoreKind) async throws {
        let bench = CacheBench(kind)
        let first = StubbedResponse.status(
            .ok,
            headerFields: [.cacheControl: "max-age=1", .eTag: "\"a\"", .contentType: "text/plain"],
            body: Data("good".utf8)
        )
        let poisoned = StubbedResponse.status(
            .notModified,
            headerFields: [
                .cacheControl: "max-age=60", .eTag: "\"evil\"", .contentType: "text/html", .contentLength: "1",
            ]
        )
        bench.api.respond(to: .get, "x", with: first, poisoned, poisoned, first)
        let service = try bench.service()
        _ = try await service.get()
        bench.clock.advance(by: .seconds(2))
        // The server insists on 304 for a request without conditions: that is an error.
        await #expect(throws: NetworkError.self) { try await service.get() }
        let last = try await service.get()
        #expect(last.text == "good" && last.fields[.contentType] == "text/plain")
        // And one for a request that asked nothing is not stored.
        bench.api.respond(to: .get, "y", with: poisoned, first)
        await #expect(throws: NetworkError.self) { try await service.get("y") }
        #expect(try await service.get("y") == Got("good", .network))
    }

    @Test(.rule("H8"), arguments: StoreKind.allCases)
    func `oversized entry`(kind: StoreKind) async throws {
        let bench = CacheBench(kind, limit: 4096)
        bench.api.respond(to: .get, "large", with: .status(.ok, headerFields: fresh, body: Data(count: 4096)))
        bench.api.respond(to: .get, "*") { .status(.ok, headerFields: fresh, body: Data($0.path.utf8)) }
        let service = try bench.service()
        _ = try await service.get("small")
        bench.api.respond(to: .get, "large", with: .status(.ok, headerFields: fresh, body: Data(count: 4096)))
        #expect(try await service.get("large").source == .notStored(.tooLarge))
        #expect(try await service.get("small").source == kind.source)
        // Many small ones stay within the limit, too.
        for number in 0..<300 { _ = try await service.get("\(number)") }
        #expect(try await service.get("299").source == kind.source)
        #expect(try await service.get("small").source == .network)
    }

    @Test(.rule("H8"), arguments: StoreKind.allCases)
    func `a flood of variants`(kind: StoreKind) async throws {
        let bench = CacheBench(kind)
        bench.count([.cacheControl: "max-age=3600", .vary: "user-agent"])
        let service = try bench.service()
        for number in 1...40 { _ = try await service.get("x", [.userAgent: "\(number)"]) }
        #expect(try await service.get("x", [.userAgent: "40"]).text == "40")
        #expect(try await service.get("x", [.userAgent: "25"]).text == "25")
        #expect(try await service.get("x", [.userAgent: "24"]).text == "41")
    }

    @Test(.rule("H8"), arguments: StoreKind.allCases)
    func `truncated body stored`(kind: StoreKind) async throws {
        let bench = CacheBench(kind)
        var fields = fresh
        fields[.contentLength] = "10"
        bench.api.respond(
            to: .get,
            "x",
            with: .status(.ok, headerFields: fields, body: Data("12345".utf8)),
            .status(.ok, headerFields: fields, body: Data("1234567890".utf8))
        )
        let service = try bench.service()
        #expect(try await service.get().source == .notStored(.incomplete))
        #expect(try await service.get() == Got("1234567890", .network))
        #expect(try await service.get() == Got("1234567890", kind.source))
    }

    @Test(.rule("H4"))
    func `clock set back`() async throws {
        var bench = CacheBench(.file)
        bench.count(fresh)
        _ = try await bench.service().get()
        bench.start -= 86_400
        // By the clock, the response comes from the future: nobody knows how old it is.
        let service = try bench.service()
        await #expect(throws: NetworkError.self) {
            try await service.get("x", [.cacheControl: "only-if-cached, max-stale=9999"])
        }
        #expect(try await service.get() == Got("2", .network))
        #expect(try await service.get() == Got("2", .disk))
    }

    @Test(.rule("H11", "H12"))
    func `two processes on one file`() async throws {
        let bench = CacheBench(.file)
        echo(bench)
        // Each service has a connection and a ledger of its own, as another process has.
        let (first, second) = (try bench.service(), try bench.service())
        let (a1, a2) = (first.account("a", named: "ada"), second.account("a", named: "ada"))
        #expect(try await a1.get() == Got("a", .network))
        #expect(try await a2.get() == Got("a", .disk))
        // A response that is on its way in one process while the user leaves in the other one.
        let latch = AsyncLatch()
        bench.api.respond(to: .get, "y", with: .status(.ok, headerFields: fresh), after: latch)
        let late = Task { try await a2.get("y") }
        let lateForAll = Task { try await second.get("y") }
        await latch.arrivals(atLeast: 2)
        try await a1.signOut()
        bench.api.respond(to: .put, "y", with: .status(.ok))
        try await first.request(NonAuthenticatedEndpoint<Void>(.put("y")))
        latch.open()
        #expect(try await late.value.source == .notStored(.superseded))
        #expect(try await lateForAll.value.source == .notStored(.superseded))
        #expect(try await second.account("b", named: "ada").get() == Got("b", .network))
        // Both write at the same time, and nothing fails.
        bench.api.respond(to: .get, "*") { .status(.ok, headerFields: fresh, body: Data($0.path.utf8)) }
        try await withThrowingTaskGroup { group in
            for number in 0..<100 {
                let service = number.isMultiple(of: 2) ? first : second
                group.addTask { try await service.get("\(number / 4)").text == "/\(number / 4)" }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test(.rule("H12"))
    func `disk full`() async throws {
        let bench = CacheBench(.file)
        bench.count([.cacheControl: "max-age=3600", .server: String(repeating: "x", count: 40_000)])
        bench.api.respond(to: .put, "x", with: .status(.ok))
        _ = try await bench.service().get()
        let errors = Watched(0)
        let full = ResponseStore { isHeuristic in
            FileResponseStorage(
                path: bench.file.path,
                limit: 1 << 20,
                isHeuristic: isHeuristic,
                onError: { _ in errors.update { $0 += 1 } },
                prepare: { database in
                    let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
                    if pages > 1 { try database.execute(sql: "PRAGMA max_page_count = \(pages)") }
                }
            )
        }
        let service = try bench.service(store: full)
        // Stored responses are served, and those without space are not stored.
        #expect(try await service.get() == Got("1", .disk))
        bench.api.respond(to: .get, "y", with: .status(.ok, headerFields: fresh, body: Data(count: 200_000)))
        #expect(try await service.get("y").source == .notStored(.storageFailed))
        #expect(errors.value == 1)
        // A write is carried out, and its old response is not served.
        try await service.request(NonAuthenticatedEndpoint<Void>(.put("x")))
        #expect(try await service.get().text == "2")
    }
}
