import BackplaneTesting
import Testing
import WebHost

@Suite(.timeLimit(.minutes(5)))
struct SessionTests {
    @Test func `two windows of a session are independent`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let first = try await browser.get("/")
            let second = try await browser.get("/")
            #expect(second.header("set-cookie") == nil, "one session")
            #expect(try first.data("window") != second.data("window"))
            let (one, two) = (try await browser.connect(first), try await browser.connect(second))
            _ = try await browser.post("increment", on: first)
            #expect(try #require(try await one.next()?.value("html")).contains(">1<"))
            _ = try await browser.post("note", ["text": "mine"], on: second)
            #expect(try await two.next()?.value("id") == "note", "its count did not change")
            await one.close()
            await two.close()
        }
    }

    @Test func `a closed tab ends its window after the grace, not the session`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let other = try await browser.get("/")
            let (stream, open) = (try await browser.connect(page), try await browser.connect(other))
            let session = browser.session
            await stream.close()
            await host.sleepers(2)  // the session's idle end and the window's grace
            host.clock.advance(by: .seconds(30))
            await host.probe.endings(1)

            #expect(try await browser.post("increment", on: page).status == 410)
            #expect(try await browser.post("increment", on: other).status == 204)
            _ = try await browser.get("/")
            #expect(browser.session == session)
            await open.close()
        }
    }

    @Test func `a connection that comes back within the grace keeps its window as it was`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.connect(page)
            _ = try await browser.post("increment", on: page)
            let event = try #require(await stream.next())
            await stream.close()
            await host.sleepers(2)
            host.clock.advance(by: .seconds(29))
            let again = try await browser.connect(page, lastEventID: event.id)
            _ = try await browser.post("increment", on: page)
            #expect(try #require(try await again.next()?.value("html")).contains(">2<"))
            host.clock.advance(by: .seconds(60))
            _ = try await browser.post("increment", on: page)
            #expect(try #require(try await again.next()?.value("html")).contains(">3<"))
            await again.close()
        }
    }

    @Test func `a page that was expected to connect and never does ends its window after the grace`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            await host.sleepers(2)
            host.clock.advance(by: .seconds(30))
            await host.probe.endings(1)
            #expect(try await browser.post("increment", on: page).status == 410)
        }
    }

    @Test func `a session that nobody uses ends with its windows, and an open page starts anew`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let session = browser.session
            let stream = try await browser.connect(page)
            await host.sleepers(1)
            host.clock.advance(by: .seconds(29 * 60))
            #expect(try await browser.post("increment", on: page).status == 204)
            #expect(await stream.next()?.name == "section")
            await host.sleepers(1)
            host.clock.advance(by: .seconds(30 * 60))
            await host.probe.endings(1)
            #expect(await stream.next()?.name == "reload")
            #expect(await stream.next() == nil)
            _ = try await browser.get("/")
            #expect(browser.session != session)
        }
    }

    @Test func `ending a session ends all its windows, and its cookie shows nothing any more`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let (first, second) = (try await browser.get("/"), try await browser.get("/"))
            let (one, two) = (try await browser.connect(first), try await browser.connect(second))
            let old = browser.session
            _ = try await browser.post("note", ["text": "private"], on: first)
            #expect(await one.next()?.name == "section")

            #expect(try await browser.post("logOut", on: first).status == 204)
            #expect(await one.next()?.name == "reload")
            #expect(await two.next()?.name == "reload")
            #expect(await two.endsProperly)
            await host.probe.endings(2)

            let page = try await browser.get("/")
            #expect(browser.session != old)
            #expect(page.text("note") == "nothing")
            browser.session = old
            #expect(try await browser.post("increment", on: second).status == 410)
            #expect(try await browser.get("/?_window=\(try first.data("window"))").text("note") == "nothing")
        }
    }

    @Test func `a renewed session has another cookie, which only the page that asked for it is given`() async throws {
        try await TestHost.run { host in
            // An attacker has planted a session of theirs in the victim's browser, and has a page of it open.
            let attacker = Browser(host.port)
            let planted = try await attacker.get("/")
            let spying = try await attacker.connect(planted)
            let victim = Browser(host.port)
            victim.session = attacker.session
            let page = try await victim.get("/")
            let stream = try await victim.connect(page)

            _ = try await victim.post("logIn", on: page)
            #expect(await stream.next()?.name == "reconnect")
            #expect(await spying.next()?.name == "reload")
            #expect(await spying.next() == nil)

            // The old cookie is nobody's but the page's that renewed it.
            #expect(try await attacker.get("/").status == 503)
            #expect(try await attacker.post("increment", on: planted).status == 410)
            let again = try await victim.connect(page)
            #expect(victim.session != attacker.session)
            _ = try await victim.post("increment", on: page)
            #expect(try await again.next()?.value("id") == "count", "the window goes on")

            // Once the new cookie has been used, the old one is good for nothing.
            #expect(try await attacker.get("/?_window=\(try page.data("window"))").text("count") == "0")
            await stream.close()
            await again.close()
        }
    }

    @Test func `a new cookie that nobody fetches is not to be had after the grace`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.connect(page)
            let old = browser.session
            _ = try await browser.post("logIn", on: page)
            #expect(await stream.next()?.name == "reconnect")
            browser.session = old
            await stream.close()
            await host.sleepers(3)  // idle end, handover, and the window's grace
            host.clock.advance(by: .seconds(30))
            await host.probe.endings(1)
            #expect(try await browser.get("/").status == 200)
            #expect(browser.session != old)
        }
    }

    @Test func `a session has no more windows than the limit; the one unused for longest goes`() async throws {
        var configuration = WebHostConfiguration()
        configuration.windowLimit = 2
        try await TestHost.run(configuration) { host in
            let browser = Browser(host.port, isScripted: false)
            let first = try await browser.get("/")
            let second = try await browser.get("/")
            _ = try await browser.post("increment", on: first)
            _ = try await browser.get("/")
            await host.probe.endings(1)
            #expect(try await browser.get("/?_window=\(try first.data("window"))").text("count") == "1")
            #expect(try await browser.post("increment", on: second).header("location") == "/")
        }
    }
}
