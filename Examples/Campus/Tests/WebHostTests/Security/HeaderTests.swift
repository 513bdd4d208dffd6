import Testing

/// Attacks by other sites and by malformed requests.
@Suite(.timeLimit(.minutes(5)))
struct HeaderTests {
    @Test(arguments: ["/", "/nowhere", "/_host/app.js", "/health/live"])
    func `no other site can frame a page, refer to its window or use its files`(path: String) async throws {
        try await TestHost.run { host in
            let reply = try await Browser(host.port).get(path)
            #expect(reply.header("x-frame-options") == "DENY")
            #expect(reply.header("content-security-policy")?.contains("frame-ancestors 'none'") ?? false)
            #expect(reply.header("cross-origin-opener-policy") == "same-origin")
            #expect(reply.header("cross-origin-resource-policy") == "same-origin")
            #expect(reply.header("permissions-policy")?.contains("camera=()") ?? false)
            #expect(reply.header("x-content-type-options") == "nosniff")
        }
    }

    @Test func `a body with malformed chunks gets 400`() async throws {
        try await TestHost.run { host in
            let head = """
                POST /_host/windows/x/events HTTP/1.1\r
                Host: 127.0.0.1\r
                Content-Type: application/x-www-form-urlencoded\r
                Transfer-Encoding: chunked\r
                \r
                no number\r\n
                """
            let found = try await RawRequest.send(head, port: host.port)
            #expect(found.hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test func `an address that is longer than any of the app gets 400`() async throws {
        try await TestHost.run { host in
            let long = String(repeating: "a", count: 9000)
            #expect(try await RawRequest.get("/page/\(long)", port: host.port).hasPrefix("HTTP/1.1 400 "))
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            #expect(try await browser.post("_navigate", ["path": "/page/\(long)"], on: page).status == 400)
        }
    }
}
