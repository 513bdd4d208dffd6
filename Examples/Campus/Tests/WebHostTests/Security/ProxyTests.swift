import AsyncHTTPClient
import Foundation
import NIOHTTP1
import Testing
import WebHost

/// Attacks on a host behind a proxy that ends TLS, and on the address of a client.
@Suite(.timeLimit(.minutes(5)))
struct ProxyTests {
    /// Returns the address that the app sees for a post with these values of `X-Forwarded-For`.
    private func address(_ forwarded: String, trusting proxies: Set<String>) async throws -> String? {
        var configuration = WebHostConfiguration()
        configuration.trustedProxies = proxies
        var seen: String?
        try await TestHost.run(configuration) { host in
            let browser = Browser(host.port, isScripted: false)
            let page = try await browser.get("/")
            let fields = [
                "_event": "address", "_csrf": try page.hidden("_csrf"), "_screen": try page.hidden("_screen"),
            ]
            let endpoint = "/_host/windows/\(try page.data("window"))/events"
            _ = try await browser.post(fields, to: endpoint, headers: ["x-forwarded-for": forwarded])
            repeat {
                var request = browser.request("/?_window=\(try page.data("window"))")
                request.headers.add(name: "x-forwarded-for", value: forwarded)
                seen = try await browser.send(request).text("note")
            } while seen == "nothing"
        }
        return seen
    }

    @Test func `a client cannot choose its address`() async throws {
        #expect(try await address("198.51.100.1", trusting: []) == "127.0.0.1")
        #expect(try await address("198.51.100.1", trusting: ["10.0.0.1"]) == "127.0.0.1")
        #expect(try await address("1.1.1.1, 198.51.100.1", trusting: ["127.0.0.1"]) == "198.51.100.1")
    }

    @Test func `with TLS in the public URL, a foreign cookie and a downgrade to HTTP have no effect`() async throws {
        var configuration = WebHostConfiguration()
        configuration.publicURL = URL(string: "https://campus.example")
        try await TestHost.run(configuration) { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let cookie = try #require(page.header("set-cookie"))
            #expect(cookie.hasPrefix("__Host-session="))
            #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Lax; Secure"))
            #expect(page.header("strict-transport-security") == "max-age=31536000")
            #expect(try await browser.get("/").header("set-cookie") == nil, "the session continues")

            let planted = Browser(host.port)
            planted.session = browser.cookies["__Host-session"]
            #expect(try await planted.get("/").header("set-cookie") != nil, "the plain name has no meaning")
        }
    }

    @Test func `without TLS, a page does not ask for it`() async throws {
        try await TestHost.run { host in
            let page = try await Browser(host.port).get("/")
            #expect(page.header("strict-transport-security") == nil)
            #expect(try #require(page.header("set-cookie")).contains("Secure") == false)
        }
    }

    @Test(arguments: ["campus.example", "ftp://campus.example", "https://campus.example/app"])
    func `a public URL that is not the root of a site is refused`(_ url: String) async throws {
        var configuration = WebHostConfiguration()
        configuration.publicURL = URL(string: url)
        let error = await #expect(throws: WebHostError.self) { try await TestHost.run(configuration) { _ in } }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.description.contains("'\(url)'") ?? false)
    }

    @Test func `a proxy whose address is a name is refused`() async throws {
        var configuration = WebHostConfiguration()
        configuration.trustedProxies = ["proxy.example"]
        let error = await #expect(throws: WebHostError.self) { try await TestHost.run(configuration) { _ in } }
        #expect(error?.description.contains("'proxy.example'") ?? false)
    }
}
