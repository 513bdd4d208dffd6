import BackplaneTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NoScriptTests {
    @Test func `a posted form leads to a page of the same window with the result`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port, isScripted: false)
            let page = try await browser.get("/")
            let answer = try await browser.post("increment", on: page)
            #expect(answer.status == 303)
            let location = try #require(answer.header("location"))
            #expect(location == "/?_window=\(try page.data("window"))")
            let next = try await browser.get(location)
            #expect(next.text("count") == "1")
            #expect(try next.data("window") == page.data("window"))
            #expect(try await browser.get("/").text("count") == "0", "another page load has another window")
        }
    }

    @Test func `a page waits until its screen has loaded`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port, isScripted: false)
            _ = try await browser.get("/")
            let request = browser.request("/slow/abc")
            async let reply = Browser.fetch(request)
            await host.sleepers(2)  // the session's idle timeout and the page's wait
            host.probe.gate.open()
            let page = try await reply
            #expect(page.body.contains("Here is abc"))
            #expect(!page.body.contains(">Reload</a>"))
        }
    }

    @Test func `if a page takes too long to load, it is shown unfinished, with a link to reload`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port, isScripted: false)
            _ = try await browser.get("/")
            let request = browser.request("/slow/abc")
            async let reply = Browser.fetch(request)
            await host.sleepers(2)
            host.clock.advance(by: .seconds(2))
            let page = try await reply
            #expect(page.status == 200)
            #expect(page.body.contains("Loading"))
            let link = "/slow/abc?_window=\(try page.data("window"))"
            #expect(page.body.contains(#"<a href="\#(link)">Reload</a>"#))

            host.probe.gate.open()
            #expect(try await browser.get(link).body.contains("Here is abc"), "the same window, loaded meanwhile")
        }
    }

    @Test func `a page waits for its first screen`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port, isScripted: false)
            _ = try await browser.get("/")
            let request = browser.request("/late/abc")
            async let reply = Browser.fetch(request)
            await host.sleepers(2)
            host.probe.gate.open()
            #expect(try await reply.body.contains("Here is abc"))
        }
    }

    @Test func `reloading shows the window's current screen, also if the screen is new`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port, isScripted: false)
            _ = try await browser.get("/")
            let request = browser.request("/late/abc")
            async let reply = Browser.fetch(request)
            await host.sleepers(2)
            host.clock.advance(by: .seconds(2))
            let page = try await reply
            let link = "/?_window=\(try page.data("window"))"
            #expect(page.body.contains(#"<a href="\#(link)">Reload</a>"#))
            host.probe.gate.open()
            #expect(try await browser.get(link).body.contains("Here is abc"))

            // Going back in the browser requests another screen.
            #expect(try await browser.get("/slow/x?_window=\(try page.data("window"))").body.contains("Here is x"))
            #expect(try await browser.get("/late/abc?_window=\(try page.data("window"))").status == 200)
        }
    }

    @Test func `a page with script does not wait, and loaded content arrives as a patch`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/slow/abc")
            #expect(page.body.contains("Loading"))
            let stream = try await browser.connect(page)
            host.probe.gate.open()
            #expect(try #require(try await stream.next()?.value("html")).contains("Here is abc"))
            await stream.close()
        }
    }

    @Test func `a window without script stays while its user types for a long time`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port, isScripted: false)
            let page = try await browser.get("/")
            _ = try await browser.post("increment", on: page)
            host.clock.advance(by: .seconds(29 * 60))
            let location = try #require(try await browser.post("increment", on: page).header("location"))
            #expect(try await browser.get(location).text("count") == "2")
        }
    }

    @Test func `a post to an ended window redirects to the referring page of the site`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port, isScripted: false)
            let page = try await browser.get("/")
            browser.session = nil
            let endpoint = "/_host/windows/\(try page.data("window"))/events"
            for (referer, location) in [
                ("\(browser.base)/slow/a?x=1&_window=b", "/slow/a?x=1"), ("\(browser.base)//evil.example", "/"),
                ("nonsense", "/"),
            ] {
                let answer = try await browser.post(raw: "", to: endpoint, headers: ["referer": referer])
                #expect(answer.status == 303)
                #expect(answer.header("location") == location)
            }
        }
    }

    @Test func `a sign-out without script leads to a new session`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port, isScripted: false)
            let page = try await browser.get("/")
            let old = browser.session
            _ = try await browser.post("signOut", on: page)
            await host.probe.endings(1)
            _ = try await browser.get("/")
            #expect(browser.session != old)
        }
    }

    @Test func `a link never contains the window's parameter`() async throws {
        try await TestHost.run { host in
            host.probe.gate.open()
            let browser = Browser(host.port, isScripted: false)
            let page = try await browser.get("/slow/abc?_window=deadbeef")
            #expect(page.status == 200)
            #expect(page.body.contains("Here is abc"))
        }
    }
}
