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
            #expect(second.header("set-cookie") == nil, "both windows use one session")
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

    @Test func `a closed tab ends its window after the grace period but not the session`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let other = try await browser.get("/")
            let (stream, open) = (try await browser.attach(page), try await browser.attach(other))
            let session = browser.session
            await stream.close()
            await host.sleepers(2)  // the session's idle timeout and the window's grace period
            host.clock.advance(by: .seconds(30))
            await host.probe.endings(1)

            #expect(try await browser.post("increment", on: page).status == 410)
            #expect(try await browser.post("increment", on: other).status == 204)
            _ = try await browser.get("/")
            #expect(browser.session == session)
            await open.close()
        }
    }

    @Test func `a hidden tab without a connection keeps its window until it is closed`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.attach(page)
            #expect(try await browser.post("_hide", on: page).status == 204)
            await stream.close()
            host.clock.advance(by: .seconds(60))
            #expect(try await browser.post("increment", on: page).status == 204)

            #expect(try await browser.post("_leave", on: page).status == 204)
            await host.sleepers(2)  // the session's idle timeout and the window's grace period
            host.clock.advance(by: .seconds(30))
            await host.probe.endings(1)
            #expect(try await browser.post("increment", on: page).status == 410)
        }
    }

    @Test func `while the user is typing, the session does not end`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.attach(page)
            for _ in 0..<3 {
                host.clock.advance(by: .seconds(29 * 60))
                #expect(try await browser.post("_active", on: page).status == 204)
            }
            #expect(try await browser.post("increment", on: page).status == 204)
            await stream.close()
        }
    }

    @Test func `a connection that returns within the grace period keeps its window`() async throws {
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

    @Test func `if a page never connects, its window ends after the grace period`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            await host.sleepers(2)
            host.clock.advance(by: .seconds(30))
            await host.probe.endings(1)
            #expect(try await browser.post("increment", on: page).status == 410)
        }
    }

    @Test func `an idle session ends with its windows, and its open page reloads`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let session = browser.session
            let stream = try await browser.attach(page)
            await host.sleepers(1)
            host.clock.advance(by: .seconds(29 * 60))
            #expect(try await browser.post("increment", on: page).status == 204)
            #expect(try await stream.nextOfMain()?.name == "section")
            await host.sleepers(1)
            host.clock.advance(by: .seconds(30 * 60))
            await host.probe.endings(1)
            #expect(await stream.next()?.name == "reload")
            #expect(await stream.next() == nil)
            _ = try await browser.get("/")
            #expect(browser.session != session)
        }
    }

    @Test func `an open page that connects again and again does not prolong its session`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.attach(page)
            _ = try await browser.post("increment", on: page)
            host.clock.advance(by: .seconds(29 * 60))
            let again = try await browser.connect(page)
            host.clock.advance(by: .seconds(60))
            await host.probe.endings(1)
            #expect(try await browser.post("increment", on: page).status == 410)
            await stream.close()
            await again.close()
        }
    }

    @Test func `ending a session ends all its windows and invalidates its cookie`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let (first, second) = (try await browser.get("/"), try await browser.get("/"))
            let (one, two) = (try await browser.connect(first), try await browser.connect(second))
            let old = browser.session
            _ = try await browser.post("note", ["text": "private"], on: first)
            #expect(await one.next()?.name == "section")

            #expect(try await browser.post("signOut", on: first).status == 204)
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

    @Test func `renewing a session gives the new cookie only to the page that requested the renewal`() async throws {
        try await TestHost.run { host in
            // An attacker has planted a session in the victim's browser, and keeps a page open.
            let attacker = Browser(host.port)
            let planted = try await attacker.get("/")
            let spying = try await attacker.connect(planted)
            let victim = Browser(host.port)
            victim.session = attacker.session
            let page = try await victim.get("/")
            let stream = try await victim.connect(page)

            _ = try await victim.post("signIn", on: page)
            #expect(await stream.next()?.name == "reconnect")
            #expect(await spying.next()?.name == "reload")
            #expect(await spying.next() == nil)

            // Only the page that renewed the session can still use the old cookie.
            #expect(try await attacker.get("/").status == 503)
            #expect(try await attacker.post("increment", on: planted).status == 410)
            let again = try await victim.connect(page)
            #expect(victim.session != attacker.session)
            _ = try await victim.post("increment", on: page)
            #expect(try await again.next()?.value("id") == "count", "the window continues")

            // After the first use of the new cookie, the old cookie gives no access.
            #expect(try await attacker.get("/?_window=\(try page.data("window"))").text("count") == "0")
            await stream.close()
            await again.close()
        }
    }

    @Test func `if no page fetches the new cookie, it is invalid after the grace period`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.connect(page)
            let old = browser.session
            _ = try await browser.post("signIn", on: page)
            #expect(await stream.next()?.name == "reconnect")
            browser.session = old
            await stream.close()
            await host.sleepers(3)  // idle timeout, handover, and the window's grace period
            host.clock.advance(by: .seconds(30))
            await host.probe.endings(1)
            #expect(try await browser.get("/").status == 200)
            #expect(browser.session != old)
        }
    }

    @Test func `above its limit, a session ends the window with the oldest use`() async throws {
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
