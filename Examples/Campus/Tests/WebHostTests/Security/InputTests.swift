import AsyncHTTPClient
import CampusTestSupport
import NIOCore
import NIOHTTP1
import Testing
import WebHost

/// Attacks with texts that are too long, malformed, or that other programs read differently.
@Suite(.timeLimit(.minutes(5)))
struct InputTests {
    private func post(_ field: String, on page: Reply, _ browser: Browser) async throws -> Reply {
        let own = "_event=note&_csrf=\(try page.data("csrf"))&_screen=\(try page.data("screen"))"
        return try await browser.post(
            raw: "\(own)&\(field)",
            to: "/_host/windows/\(try page.data("window"))/events"
        )
    }

    @Test func `a text with a NUL is refused and logged`() async throws {
        let log = LogCapture()
        try await TestHost.run(security: log.logger) { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            #expect(try await post("text=ada@campus.example%001", on: page, browser).status == 400)
            #expect(try await browser.get("/?_window=\(page.data("window"))").text("note") == "nothing")
        }
        #expect(await log.finish().first?.contains("request.malformed") ?? false)
    }

    @Test(arguments: [("", "400"), ("Host: a\r\n", "200"), ("Host: a\r\nHost: b\r\n", "400")])
    func `a request without a host, or with two, is refused`(_ fields: String, _ status: String) async throws {
        try await TestHost.run { host in
            let request = "GET /health/live HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n"
            let reply = try await RawRequest.send(request, port: host.port)
            #expect(reply.hasPrefix("HTTP/1.1 \(status) "))
        }
    }

    @Test func `control characters do not reach a screen`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            #expect(try await post("text=a%1B%5B2Jb%E2%80%A8", on: page, browser).status == 204)
            #expect(try await browser.get("/?_window=\(page.data("window"))").text("note") == "a[2Jb\u{2028}")
        }
    }

    @Test func `the limit of a text counts bytes, and not characters`() async throws {
        var configuration = WebHostConfiguration()
        configuration.bodyLimit = 1000
        try await TestHost.run(configuration) { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let character = "e" + String(repeating: "%CC%81", count: 200)
            #expect(try await post("text=\(character)", on: page, browser).status == 413)
        }
    }

    @Test func `bytes that are not UTF-8 are refused and not repaired`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            var request = browser.request("/_host/windows/\(try page.data("window"))/events")
            request.method = .POST
            request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
            request.body = .bytes(ByteBuffer(bytes: Array("text=".utf8) + [0xFF, 0xFE]))
            #expect(try await browser.send(request).status == 400)
        }
    }

    @Test func `an event with a long ID is handled, but its ID is not kept`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let id = String(repeating: "a", count: 65)
            for _ in 0..<2 { #expect(try await browser.post("increment", ["_id": id], on: page).status == 204) }
            #expect(try await browser.get("/?_window=\(page.data("window"))").text("count") == "2")
        }
    }
}
