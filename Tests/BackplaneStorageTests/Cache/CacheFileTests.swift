import BackplaneNetworking
import BackplaneTesting
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneStorage

/// The file of the cache.
@Suite(.timeLimit(.minutes(2)))
struct CacheFileTests {
    private let bench = CacheBench(.file)

    private func execute(_ sql: String) throws {
        try DatabaseQueue(path: bench.file.path).writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    @Test(.rule("H12"))
    func `responses outlive the process, and only those with a known owner`() async throws {
        bench.count(
            [.cacheControl: "max-age=60", .vary: "accept-language", .setCookie: "a=b"],
            status: .init(code: 203)
        )
        let service = try bench.service()
        _ = try await service.get("x", [.acceptLanguage: "vi"])
        _ = try await service.account("a", named: "ada").get()
        _ = try await service.account("b").get()
        _ = try await service.get("x", [.authorization: "Bearer key"])
        var later = bench
        later.start += 10
        let next = try later.service()
        let got = try await next.get("x", [.acceptLanguage: "vi"])
        #expect(got == Got("1", .disk))
        #expect(got.fields[.age] == "10" && got.fields[.setCookie] == "a=b")
        #expect(try await next.account("a", named: "ada").get() == Got("2", .disk))
        #expect(try await next.account("b").get() == Got("5", .network))
        #expect(try await next.get("x", [.authorization: "Bearer key"]) == Got("6", .network))
    }

    @Test(
        .rule("H12"),
        arguments: [
            "PRAGMA user_version = 2", "DROP TABLE state", "ALTER TABLE response RENAME COLUMN fields TO headers",
            "DELETE FROM state",
        ]
    )
    func `a file with other tables is made anew`(sql: String) async throws {
        bench.count([.cacheControl: "max-age=60"])
        _ = try await bench.service().get()
        try execute(sql)
        let service = try bench.service()
        #expect(try await service.get() == Got("2", .network))
        #expect(try await service.get() == Got("2", .disk))
    }

    @Test(.rule("H12"), arguments: [0, 4096])
    func `a damaged file is made anew`(offset: Int) async throws {
        bench.count([.cacheControl: "max-age=60"])
        _ = try await bench.service().get()
        try execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
        var data = try Data(contentsOf: bench.file)
        data.replaceSubrange(offset..<data.count, with: Data(repeating: 0x5a, count: data.count - offset))
        try data.write(to: bench.file)
        for text in ["2", "2"] { #expect(try await bench.service().get().text == text) }
    }

    @Test(
        .rule("H12"),
        arguments: [
            "status = 'x'", "status = 99", "status = 100000", "body = 1.5", "fields = x'ff00ff'", "names = 5",
            "requestedAt = 'x'", "receivedAt = 1e300", "receivedAt = 9e999", "receivedAt = -9e999", "selection = 'x'",
            "requestSize = 'x'",
            "lastUse = 9223372036854775807", "size = -9223372036854775808",
        ]
    )
    func `a row with wrong values traps nothing and fails no request`(change: String) async throws {
        bench.count([.cacheControl: "max-age=60"])
        bench.api.respond(to: .delete, "x", with: .status(.ok))
        _ = try await bench.service().get()
        try execute("UPDATE response SET \(change)")
        let service = try bench.service()
        _ = try await service.get()
        _ = try await service.get("x", [.cacheControl: "no-cache"])
        try await service.request(NonAuthenticatedEndpoint<Void>(.delete("x")))
        for _ in 1...2 { _ = try await bench.service().get() }
    }

    @Test(.rule("H12"))
    func `without a usable directory, nothing is cached and no request fails`() async throws {
        let errors = Watched(0)
        let file = bench.directory.url.appending(path: "none/cache.sqlite")
        let store = ResponseStore.file(at: file) { _ in errors.update { $0 += 1 } }
        bench.count([.cacheControl: "max-age=60"])
        let service = try bench.service(store: store)
        #expect(errors.value == 1)
        for text in ["1", "2"] { #expect(try await service.get() == Got(text, .notStored(.storageFailed))) }
    }

    @Test(.rule("H12"))
    func `only the owner can use the file, and it has no tokens and no request fields`() async throws {
        bench.count([.cacheControl: "max-age=60", .vary: "cookie, authorization, x-key"])
        let service = try bench.service()
        let key = try #require(HTTPField.Name("X-Key"))
        _ = try await service.account("secret-token", named: "ada").get()
        _ = try await service.get("x", [.cookie: "secret-cookie", key: "secret-key", .authorization: "secret-login"])
        for name in try bench.directory.contents {
            let path = bench.directory.url.appending(path: name).path
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(data.range(of: Data("secret".utf8)) == nil, "\(name)")
        }
    }

    @Test(.rule("H12"))
    func `the least recently used responses are removed, also of an earlier process`() async throws {
        let store = ResponseStore.file(at: bench.file, limit: 4096)
        bench.api.respond(to: .get, "*") { request in
            .status(.ok, headerFields: [.cacheControl: "max-age=60"], body: Data(count: 1200))
        }
        let first = try bench.service(store: store)
        for path in ["a", "b", "c"] as [EndpointPath] { _ = try await first.get(path) }
        let second = try bench.service(store: store)
        #expect(try await second.get("a").source == .disk)
        _ = try await second.get("d")
        #expect(try await second.get("a").source == .disk)
        #expect(try await second.get("b").source == .network)
    }
}
