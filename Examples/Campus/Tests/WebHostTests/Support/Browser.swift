import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import Testing

/// A response as it arrived.
struct Reply {
    let status: Int
    let headers: HTTPHeaders
    let body: String

    func header(_ name: String) -> String? { headers.first(name: name) }

    /// Returns the value of a data attribute of the page.
    func data(_ name: String) throws -> String {
        try first(#"data-\#(name)="([^"]*)""#)
    }

    /// Returns the value of the first hidden field with that name.
    func hidden(_ name: String) throws -> String {
        try first(#"name="\#(name)" value="([^"]*)""#)
    }

    private func first(_ pattern: String) throws -> String {
        try #require(body.firstMatch(of: try Regex(pattern, as: (Substring, Substring).self))).1.description
    }

    /// Returns the text of the element with that ID, up to the next tag.
    func text(_ id: String) -> String? {
        guard let regex = try? Regex("id=\"\(id)\"[^>]*>([^<]*)<", as: (Substring, Substring).self) else { return nil }
        return body.firstMatch(of: regex).map { String($0.1) }
    }
}

/// A browser that keeps cookies, follows no redirects, and acts with or without script.
final class Browser {
    private(set) var base: String
    private(set) var cookies: [String: String] = [:]
    let isScripted: Bool
    /// The secret that the script makes; one for all pages of a test's browser.
    let pageKey = (0..<32).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined()

    init(_ port: Int, isScripted: Bool = true) {
        base = "http://127.0.0.1:\(port)"
        self.isScripted = isScripted
        if isScripted { cookies["script"] = "1" }
    }

    /// Continues with another host.
    ///
    /// Unlike after a real restart, the port differs.
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

    /// Sends an event as a form of `page` does.
    func post(_ event: String, _ fields: [String: String] = [:], on page: Reply) async throws -> Reply {
        let host = [
            "_event": event,
            "_csrf": isScripted ? try page.data("csrf") : try page.hidden("_csrf"),
            "_screen": isScripted ? try page.data("screen") : try page.hidden("_screen"),
        ]
        let own = isScripted ? ["_page": pageKey] : [:]
        let all = host.merging(own) { $1 }.merging(fields) { $1 }
        return try await post(all, to: "/_host/windows/\(page.data("window"))/events")
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

    /// Connects as the script of `page` does.
    ///
    /// End the connection with ``EventConnection/close()``.
    func connect(_ page: Reply, lastEventID: String? = nil) async throws -> EventConnection {
        let query = "version=\(try page.data("version"))&page=\(pageKey)"
        var request = request("/_host/windows/\(try page.data("window"))/events?\(query)")
        if let lastEventID { request.headers.add(name: "last-event-id", value: lastEventID) }
        let response = try await Self.client.execute(request, timeout: .seconds(60))
        keepCookies(response.headers)
        return EventConnection(response)
    }

    /// Sends a request, and returns when the head of the response has arrived.
    func open(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        try await Self.client.execute(request, timeout: .seconds(60))
    }

    /// Connects, and returns when the connection is attached to the window.
    ///
    /// The page asks for everything that it shows. The first message is read here, and those of the
    /// bar, the sheet and the dialog follow.
    func attach(_ page: Reply) async throws -> EventConnection {
        let stream = try await connect(page, lastEventID: "0")
        try #require(await stream.next()?.name == "screen")
        return stream
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

    /// A client that follows no redirects, because the tests check their targets.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
}
