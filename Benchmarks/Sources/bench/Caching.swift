import BackplaneNetworking
import BackplaneStorage
import Foundation
import GRDB
import HTTPTypes

extension Comparison {
    /// Gets a response from the cache in memory; the baseline makes the same request over a
    /// transport that answers at once.
    static func memoryHit() throws -> Comparison {
        let service = try NonAuthenticatedNetworkController(cache: .memory())
        return Comparison(
            of: .requests(to: service, .page.cached()),
            with: .requests(to: service, .page)
        )
    }

    /// Gets a response from the cache in a file; the baseline reads a row with the same bytes.
    static func diskHit() throws -> Comparison {
        let directory = try TemporaryDirectory()
        let file = directory.url.appending(path: "cache.sqlite")
        let service = try NonAuthenticatedNetworkController(cache: .file(at: file))
        let bare = try DatabaseQueue(path: directory.url.appending(path: "bare.sqlite").path)
        try bare.write { database in
            try database.execute(sql: "CREATE TABLE page (url TEXT PRIMARY KEY, fields TEXT, body BLOB)")
            try database.execute(
                sql: "INSERT INTO page VALUES (?, ?, ?)",
                arguments: ["https://api.example.com/page", "cache-control:max-age=3600", InstantTransport.body]
            )
        }
        return Comparison(
            of: .requests(to: service, .page.cached(), keeping: directory),
            with: Operation { count in
                for _ in 0..<count {
                    let size = try? await bare.read { database in
                        let statement = try database.cachedStatement(sql: "SELECT fields, body FROM page WHERE url = ?")
                        let row = try Row.fetchOne(statement, arguments: ["https://api.example.com/page"])
                        return row.map { ($0[0] as String).utf8.count + ($0[1] as Data).count } ?? 0
                    }
                    precondition(size ?? 0 > 0, "The row is in the table.")
                }
            }
        )
    }
}

extension NonAuthenticatedEndpoint<Data> {
    fileprivate static var page: Self { Self(.get("page")) }
}

/// A transport that answers at once.
private struct InstantTransport: NetworkTransport {
    static let body = Data(repeating: 0x20, count: 16 * 1024)

    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        (HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=86400"]), Self.body)
    }
}

extension NonAuthenticatedNetworkController {
    fileprivate init(cache: ResponseStore) throws {
        var options = NetworkOptions()
        options.cache = cache
        guard let url = URL(string: "https://api.example.com") else { throw URLError(.badURL) }
        try self.init(baseURL: url, transport: InstantTransport(), options: options)
    }
}

extension Operation {
    fileprivate static func requests(
        to service: NonAuthenticatedNetworkController,
        _ endpoint: NonAuthenticatedEndpoint<Data>,
        keeping directory: TemporaryDirectory? = nil
    ) -> Operation {
        Operation { count in
            for _ in 0..<count {
                do {
                    consume(try await service.request(endpoint).count)
                } catch {
                    preconditionFailure("A request to this process failed: \(error)")
                }
            }
            withExtendedLifetime(directory) {}
        }
    }
}
