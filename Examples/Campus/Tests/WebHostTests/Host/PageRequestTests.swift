import AsyncHTTPClient
import BackplaneTesting
import NIOHTTP1
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PageRequestTests {
    @Test func `the page of a URL shows the board of its link`() async throws {
        try await TestHost.run { host in
            host.probe.gate.open()
            let page = try await Browser(host.port, isScripted: false).get("/slow/abc123")
            #expect(page.status == 200)
            #expect(page.body.contains("<title>Slow · Toy</title>"))
            #expect(page.text("title") == "Slow")
            #expect(page.body.contains("Here is abc123"))
        }
    }

    @Test func `a page is not cached, runs only the host's script and hides its address from other sites`() async throws
    {
        try await TestHost.run { host in
            let page = try await Browser(host.port).get("/")
            #expect(page.header("cache-control") == "no-store")
            #expect(page.header("x-content-type-options") == "nosniff")
            #expect(page.header("referrer-policy") == "same-origin")
            let policy = try #require(page.header("content-security-policy"))
            #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"))
            #expect(!policy.contains("unsafe"))
            #expect(page.body.contains(#"<link rel="icon" href="/_host/icon.svg" type="image/svg+xml">"#))
            let icon = try await Browser(host.port).get("/_host/icon.svg")
            #expect(icon.header("content-type") == "image/svg+xml")
            for asset in ["/_host/app.js", "/_host/style.css"] {
                #expect(page.body.contains(asset))
                #expect(try await Browser(host.port).get(asset).status == 200)
            }
        }
    }

    @Test func `an unknown address gets an error page with 404`() async throws {
        try await TestHost.run { host in
            for path in ["/nowhere", "/_host/nowhere", "/_host/windows/x/y", "/favicon.ico"] {
                let page = try await Browser(host.port).get(path)
                #expect(page.status == 404)
                #expect(page.body.contains("Page not found"))
                #expect(page.body.contains("<header>"), "in the app's layout")
                #expect(page.body.contains("/guide") != path.hasPrefix("/_host/"), "the links of the app's bar")
            }
        }
    }

    @Test func `a link that is denied at once shows an error page with 403`() async throws {
        try await TestHost.run { host in
            let page = try await Browser(host.port).get("/secret")
            #expect(page.status == 403)
            #expect(page.body.contains("You cannot open this page."))
            #expect(page.body.contains("/guide"))
        }
    }

    @Test func `a link that is denied later shows an error screen with a link to the start page`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/locked/a")
            let stream = try await browser.connect(page)
            host.probe.door.open()
            let denied = try #require(await stream.next())
            #expect(try denied.value("title") == "Not allowed")
            #expect(try denied.value("path") == "/locked/a", "a reload opens the link again")
            #expect(try #require(try denied.value("html")).contains("You cannot open this page."))
            let fields = [
                "_event": "home", "_csrf": try page.data("csrf"), "_screen": try #require(try denied.value("number")),
            ]
            _ = try await browser.post(fields, to: "/_host/windows/\(try page.data("window"))/events")
            #expect(try await stream.next()?.value("path") == "/")
            await stream.close()
        }
    }

    @Test func `if a link is denied while its page waits, the page shows an error screen`() async throws {
        try await TestHost.run { host in
            host.probe.door.open()
            let browser = Browser(host.port, isScripted: false)
            let page = try await browser.get("/locked/a")
            #expect(page.body.contains("You cannot open this page."))
            let location = try #require(try await browser.post("home", on: page).header("location"))
            #expect(try await browser.get(location).text("count") == "0")
        }
    }

    @Test(arguments: ["/slow/%zz", "/slow/%00", "/slow/%ff", "/slow/a%2", "*"])
    func `a malformed address gets an error page with 400`(_ target: String) async throws {
        try await TestHost.run { host in
            let reply = try await RawRequest.get(target, port: host.port)
            #expect(reply.hasPrefix("HTTP/1.1 400 "))
            #expect(reply.contains("Malformed address"))
        }
    }

    @Test func `a very long path gets a response`() async throws {
        try await TestHost.run { host in
            let long = "/" + String(repeating: "a/", count: 8 * 1024)
            let reply = try await RawRequest.get(long, port: host.port)
            #expect(reply.contains("Malformed address") || reply.contains("Page not found"))
        }
    }

    @Test func `a board whose gate stays closed gets an error page with 403`() async throws {
        try await TestHost.run { host in
            let page = try await Browser(host.port).get("/secret")
            #expect(page.status == 403)
            #expect(page.body.contains("Not allowed"))
        }
    }

    @Test func `a screen's values are escaped in text and in attributes`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port, isScripted: false)
            let page = try await browser.get("/")
            // A combining accent forms one character with the quotation mark before it.
            let hostile = "<script>alert(1)</script>\"\u{301} onmouseover=alert(2)"
            let answer = try await browser.post("note", ["text": hostile], on: page)
            let next = try await browser.get(try #require(answer.header("location")))
            #expect(next.body.contains("&lt;script&gt;alert(1)"))
            #expect(!next.body.contains("<script>alert"))
            #expect(next.body.unicodeScalars.contains("\u{301}"))
            #expect(next.body.contains("&quot;\u{301} onmouseover"))
        }
    }

    @Test func `a session's cookie cannot be guessed, read by scripts, or sent by other sites' posts`() async throws {
        try await TestHost.run { host in
            let field = try #require(try await Browser(host.port).get("/").header("set-cookie"))
            #expect(field.hasSuffix("; Path=/; HttpOnly; SameSite=Lax"))
            #expect(try field.wholeMatch(of: Regex("session=[0-9a-f]{32};.*")) != nil)
            let other = try #require(try await Browser(host.port).get("/").header("set-cookie"))
            #expect(field != other)
        }
    }

    @Test func `a cookie that the host did not create is replaced`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            browser.session = String(repeating: "a", count: 32)
            _ = try await browser.get("/")
            #expect(browser.session != String(repeating: "a", count: 32))
        }
    }

    @Test func `methods other than GET, HEAD and POST are refused`() async throws {
        try await TestHost.run { host in
            var request = HTTPClientRequest(url: "http://127.0.0.1:\(host.port)/")
            request.method = .PUT
            let reply = try await Browser(host.port).send(request)
            #expect(reply.status == 405)
            #expect(reply.header("allow") == "GET, HEAD, POST")
        }
    }
}
