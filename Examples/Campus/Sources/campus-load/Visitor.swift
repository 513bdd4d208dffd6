import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A browser, with cookies of its own: one session of the app.
actor Visitor {
    /// A client that opens a connection for each stream, and reports a lost server at once.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .seconds(60)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 100_000
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    private let root: String
    private var cookies = ["script": "1"]

    /// Creates a browser for the app with this root URL.
    init(at root: String) {
        self.root = root
    }

    func page(at path: String) async throws -> Page {
        let response = try await get(path)
        return try Page(html: String(buffer: try await response.body.collect(upTo: 1 << 20)))
    }

    /// Sends a request, and returns the response when its head has arrived.
    func get(_ path: String) async throws -> HTTPClientResponse {
        let response = try await send(HTTPClientRequest(url: root + path))
        guard response.status == .ok else {
            throw Failure("The response to GET \(path) has the status \(response.status.code).")
        }
        return response
    }

    /// Loads a page or a file, and returns the time until the response began.
    func timeToFirstByte(of path: String) async throws -> Duration {
        let start = ContinuousClock.now
        let response = try await get(path)
        let time = start.duration(to: .now)
        _ = try await response.body.collect(upTo: 1 << 20)
        return time
    }

    /// Posts a form as the script does.
    func post(_ fields: [String: String], to path: String) async throws {
        var request = HTTPClientRequest(url: root + path)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        request.headers.add(name: "origin", value: root)
        request.headers.add(name: "x-backplane-script", value: "1")
        let pairs = fields.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }
        request.body = .bytes(ByteBuffer(string: pairs.joined(separator: "&")))
        let response = try await send(request)
        _ = try await response.body.collect(upTo: 1 << 20)
        guard response.status == .noContent else {
            let event = fields["_event"] ?? ""
            throw Failure("The response to the event '\(event)' has the status \(response.status.code).")
        }
    }

    private func send(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        var request = request
        let pairs = cookies.map { name, value in "\(name)=\(value)" }
        request.headers.add(name: "cookie", value: pairs.joined(separator: "; "))
        let response = try await Self.client.execute(request, timeout: .seconds(60))
        for field in response.headers["set-cookie"] {
            let pair = field.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { cookies[String(pair[0])] = String(pair[1]) }
        }
        return response
    }
}
