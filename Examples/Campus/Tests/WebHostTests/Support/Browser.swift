import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import Testing

/// A page or an answer, as it arrived.
struct Reply {
    let status: Int
    let headers: HTTPHeaders
    let body: String

    func header(_ name: String) -> String? { headers.first(name: name) }

    /// What the page carries for the script.
    func data(_ name: String) throws -> String {
        try first(#"data-\#(name)="([^"]*)""#)
    }

    /// What the first form's hidden field of that name holds.
    func hidden(_ name: String) throws -> String {
        try first(#"name="\#(name)" value="([^"]*)""#)
    }

    private func first(_ pattern: String) throws -> String {
        try #require(body.firstMatch(of: try Regex(pattern, as: (Substring, Substring).self))).1.description
    }

    /// The inside of the element of that id, up to the next tag.
    func text(_ id: String) -> String? {
        guard let regex = try? Regex("id=\"\(id)\"[^>]*>([^<]*)<", as: (Substring, Substring).self) else { return nil }
        return body.firstMatch(of: regex).map { String($0.1) }
    }
}

/// A person's browser: keeps cookies, follows no redirect by itself, and runs a script or not.
final class Browser {
    private(set) var base: String
    private(set) var cookies: [String: String] = [:]
    let isScripted: Bool

    init(_ port: Int, isScripted: Bool = true) {
        base = "http://127.0.0.1:\(port)"
        self.isScripted = isScripted
        if isScripted { cookies["script"] = "1" }
    }

    /// Goes on with another host at the same address, as far as a test can have that: the port is another.
    func meet(_ host: TestHost) {
        base = "http://127.0.0.1:\(host.port)"
    }

    var session: String? {
        get { cookies["session"] }
        set { cookies["session"] = newValue }
    }

    func get(_ path: String) async throws -> Reply {
        try await send(request(path))
    }

    /// Sends an event as a form of `page` would.
    func post(_ event: String, _ fields: [String: String] = [:], on page: Reply) async throws -> Reply {
        let host = [
            "_event": event,
            "_csrf": isScripted ? try page.data("csrf") : try page.hidden("_csrf"),
            "_screen": isScripted ? try page.data("screen") : try page.hidden("_screen"),
        ]
        return try await post(host.merging(fields) { $1 }, to: "/_host/windows/\(page.data("window"))/events")
    }

    func post(
        _ fields: [String: String],
        to path: String,
        headers: [String: String] = [:]
    ) async throws -> Reply {
        var parts = URLComponents()
        parts.queryItems = fields.map { URLQueryItem(name: $0.key, value: $0.value) }
        return try await post(raw: parts.percentEncodedQuery ?? "", to: path, headers: headers)
    }

    func post(raw body: String, to path: String, headers: [String: String] = [:]) async throws -> Reply {
        var request = request(path)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        if isScripted { request.headers.add(name: "x-backplane-script", value: "1") }
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        request.body = .bytes(ByteBuffer(string: body))
        return try await send(request)
    }

    func send(_ request: HTTPClientRequest) async throws -> Reply {
        let reply = try await Self.fetch(request)
        keepCookies(reply.headers)
        return reply
    }

    static func fetch(_ request: HTTPClientRequest) async throws -> Reply {
        let response = try await client.execute(request, timeout: .seconds(30))
        let body = try await response.body.collect(upTo: 1 << 20)
        return Reply(status: Int(response.status.code), headers: response.headers, body: String(buffer: body))
    }

    /// Connects as the script of `page` does; ends with ``EventConnection/close()``.
    func connect(_ page: Reply, lastEventID: String? = nil) async throws -> EventConnection {
        var request = request("/_host/windows/\(try page.data("window"))/events?version=\(try page.data("version"))")
        if let lastEventID { request.headers.add(name: "last-event-id", value: lastEventID) }
        let response = try await Self.client.execute(request, timeout: .seconds(60))
        keepCookies(response.headers)
        return EventConnection(response)
    }

    func request(_ path: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: base + path)
        let pairs = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        if !pairs.isEmpty { request.headers.add(name: "cookie", value: pairs.joined(separator: "; ")) }
        return request
    }

    private func keepCookies(_ headers: HTTPHeaders) {
        for field in headers["set-cookie"] {
            let pair = field.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { cookies[String(pair[0])] = String(pair[1]) }
        }
    }

    /// Follows no redirect: where one leads is part of what is tested.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
}
