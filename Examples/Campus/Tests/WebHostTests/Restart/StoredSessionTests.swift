import BackplaneTesting
import CampusTestSupport
import Foundation
import Testing
import WebHost

/// Tests of stored sessions: their content, their lifetime and the access to them.
@Suite(.timeLimit(.minutes(5)))
struct StoredSessionTests {
    let store = MemoryStore()

    private func withHost(
        _ configuration: WebHostConfiguration = WebHostConfiguration(),
        _ body: (TestHost) async throws -> Void
    ) async throws {
        try await TestHost.run(configuration, store: store, body)
    }

    /// Runs `body` with a host on a copy of the store, as after a crash and some time later.
    private func afterACrash(
        _ configuration: WebHostConfiguration = WebHostConfiguration(),
        later: Duration = .zero,
        _ body: (TestHost, MemoryStore) async throws -> Void
    ) async throws {
        let left = await store.copy()
        try await TestHost.run(configuration, store: left, startingAt: later) { try await body($0, left) }
    }

    @Test func `the store contains no session cookie and no window ID`() async throws {
        try await withHost { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/page/a")
            let text = await store.text
            #expect(text.contains("/page/a"))
            #expect(try !text.contains(#require(browser.session)))
            #expect(try !text.contains(page.data("window")))
        }
    }

    @Test func `an unknown cookie or another session gets no access to a stored window`() async throws {
        try await withHost { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/page/a")
            let other = Browser(host.port)
            _ = try await other.get("/")
            try await afterACrash { host, _ in
                let nobody = Browser(host.port)
                nobody.session = String(repeating: "0", count: 32)
                other.meet(host)
                for stranger in [nobody, other] {
                    let stream = try await stranger.connect(page)
                    #expect(await stream.next()?.name == "reload")
                    #expect(await stream.next() == nil)
                    #expect(try await stranger.post("note", on: page).status == 410)
                    let fresh = try await stranger.get("/?_window=\(try page.data("window"))")
                    #expect(try fresh.data("window") != page.data("window"))
                    #expect(fresh.text("count") == "0")
                }
                browser.meet(host)
                let stream = try await browser.connect(page)
                #expect(try await stream.next()?.value("path") == "/page/a", "the window still belongs to its owner")
                await stream.close()
            }
        }
    }

    @Test func `a sign-out removes the stored session and its windows, and the app forgets the session`() async throws {
        try await withHost { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            _ = try await browser.get("/page/a")
            let stream = try await browser.connect(page)
            let id = try sessionID(await store.content)
            #expect(await store.content.count(of: "window") == 2)
            #expect(await host.probe.sessions(1) == ["made \(id)"])
            _ = try await browser.post("signOut", on: page)
            #expect(await stream.next()?.name == "reload")
            #expect(await store.content.isEmpty)
            #expect(await host.probe.sessions(1) == ["forgot \(id)"])
            try await afterACrash { host, _ in
                browser.meet(host)
                let old = browser.session
                _ = try await browser.get("/")
                #expect(browser.session != old)
            }
        }
    }

    @Test func `a closed tab's window is removed after the grace period, and its session stays`() async throws {
        try await withHost { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.attach(page)
            _ = try await browser.post("increment", on: page)
            #expect(await store.content.count == 2)
            await stream.close()
            await host.sleepers(2)
            host.clock.advance(by: .seconds(30))
            await store.until { $0.count(of: "window") == 0 }
            #expect(await store.content.count(of: "session") == 1)
        }
    }

    @Test func `unused windows end after a restart's grace period, except windows without script`() async throws {
        try await withHost { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/page/a")
            let back = try await browser.get("/page/b")
            let plain = Browser(host.port, isScripted: false)
            let form = try await plain.get("/page/c")
            try await afterACrash { host, left in
                await host.sleepers(2)  // the idle timeouts and the grace period
                browser.meet(host)
                plain.meet(host)
                let stream = try await browser.connect(back)
                _ = await stream.next()
                host.clock.advance(by: .seconds(30))
                await left.until { $0.count(of: "window") == 2 }
                #expect(try await browser.post("note", on: page).status == 410)
                #expect(try await browser.post("note", on: back).status == 204)
                let answer = try await plain.post("note", on: form)
                #expect(try answer.header("location") == "/page/c?_window=\(form.data("window"))")
                await stream.close()
            }
        }
    }

    @Test func `a page that has connected once still counts as a page with a script after a restart`() async throws {
        try await withHost { host in
            let browser = Browser(host.port, isScripted: false)  // as in a first visit: nothing is known yet
            let stream = try await browser.connect(try await browser.get("/page/a"))
            await store.until {
                String(decoding: $0.values.map(Array.init).joined(), as: UTF8.self).contains(#""isScripted":true"#)
            }
            try await afterACrash { host, left in
                await host.sleepers(2)
                host.clock.advance(by: .seconds(30))
                await left.until { $0.count(of: "window") == 0 }
            }
            await stream.close()
        }
    }

    @Test func `an unused session ends when its remaining idle time after a restart is over`() async throws {
        try await withHost { host in
            let browser = Browser(host.port)
            _ = try await browser.get("/")
            let id = try sessionID(await store.content)
            try await afterACrash(later: .seconds(20 * 60)) { host, left in
                await host.sleepers(2)  // the idle timeout and the grace period of unused windows
                host.clock.advance(by: .seconds(10 * 60))
                await left.until { $0.isEmpty }
                #expect(await host.probe.sessions(2) == ["made \(id)", "forgot \(id)"])
            }
        }
    }

    @Test func `a session that was unused for too long while no host ran is not restored`() async throws {
        try await withHost { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let id = try sessionID(await store.content)
            try await afterACrash(later: .seconds(30 * 60)) { host, left in
                await left.until { $0.isEmpty }
                #expect(await host.probe.sessions(2) == ["made \(id)", "forgot \(id)"])
                browser.meet(host)
                let answer = try await browser.post("increment", on: page)
                #expect(answer.status == 410)
            }
        }
    }

    @Test func `a session's last use is stored at most once a minute`() async throws {
        try await withHost { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            _ = try await browser.post("increment", on: page)
            host.clock.advance(by: .seconds(59))
            _ = try await browser.post("increment", on: page)
            // Pending changes are stored before another window opens.
            _ = try await browser.get("/page/a")
            #expect(await !store.text.contains(#""usedAt":59"#))
            host.clock.advance(by: .seconds(1))
            _ = try await browser.post("increment", on: page)
            await store.until {
                String(decoding: $0.values.map(Array.init).joined(), as: UTF8.self).contains(#""usedAt":60"#)
            }
        }
    }

    @Test func `a restart accepts a renewed session's new cookie but not the old cookie or other windows`() async throws
    {
        try await withHost { host in
            let attacker = Browser(host.port)
            let planted = try await attacker.get("/page/theirs")
            let victim = Browser(host.port)
            victim.session = attacker.session
            let page = try await victim.get("/")
            let stream = try await victim.connect(page)
            _ = try await victim.post("signIn", on: page)
            #expect(await stream.next()?.name == "reconnect")
            // The page has received the event, so the renewal must be stored by now.
            try await afterACrash { host, left in
                #expect(await left.content.count(of: "window") <= 2)
                attacker.meet(host)
                let answer = try await attacker.post("note", on: planted)
                #expect(answer.status == 410)
            }
            let again = try await victim.connect(page)
            #expect(victim.session != attacker.session)
            await store.until { $0.count(of: "window") == 1 }
            try await afterACrash { host, _ in
                attacker.meet(host)
                #expect(try await attacker.post("increment", on: page).status == 410)
                victim.meet(host)
                let stream = try await victim.connect(page)
                #expect(try await stream.next()?.value("path") == "/")
                await stream.close()
            }
            await stream.close()
            await again.close()
        }
    }

    @Test func `renewing a session also removes the windows to which no page has returned`() async throws {
        try await withHost { host in
            let browser = Browser(host.port, isScripted: false)
            let old = try await browser.get("/page/old")
            let page = try await browser.get("/")
            try await afterACrash { host, left in
                browser.meet(host)
                _ = try await browser.post("signIn", on: page)
                await left.until { $0.count(of: "window") == 1 }
                #expect(await !left.text.contains("/page/old"))
                let fresh = try await browser.get("/page/old?_window=\(old.data("window"))")
                #expect(try fresh.data("window") != old.data("window"))
            }
        }
    }

    @Test func `windows from before a restart count for the limit and end first`() async throws {
        var configuration = WebHostConfiguration()
        configuration.windowLimit = 2
        try await withHost(configuration) { host in
            let browser = Browser(host.port, isScripted: false)
            _ = try await browser.get("/page/a")
            let page = try await browser.get("/page/b")
            try await afterACrash(configuration) { host, left in
                browser.meet(host)
                #expect(try await browser.post("note", on: page).status == 303)
                _ = try await browser.get("/page/c")
                #expect(await left.content.count(of: "window") == 2)
                #expect(await !left.text.contains("/page/a"))
            }
        }
    }

    @Test func `a request for an unknown or denied page stores nothing`() async throws {
        try await withHost { host in
            #expect(try await Browser(host.port).get("/nowhere").status == 404)
            #expect(try await Browser(host.port).get("/secret").status == 403)
            #expect(await store.updateCount == 0)
            _ = try await Browser(host.port).get("/")
            #expect(await store.content.count == 2, "one session, one window")
        }
    }

    @Test func `updates of the store do not overlap, and pending changes are stored together`() async throws {
        try await withHost { host in
            let pages = (0..<20).map { Browser(host.port).request("/page/\($0)") }
            try await withThrowingTaskGroup { group in
                for page in pages { group.addTask { _ = try await Browser.fetch(page) } }
                try await group.waitForAll()
            }
            #expect(await store.content.count == 40)
            #expect(await store.overlapCount == 0)
            #expect(await store.updateCount < 20)
        }
    }

    @Test func `a failed store update is logged, does not affect the page and is repeated later`() async throws {
        let log = LogCapture()
        try await TestHost.run(store: store, logger: log.logger) { host in
            await store.setBroken(true)
            let browser = Browser(host.port)
            let page = try await browser.get("/page/a")
            #expect(page.status == 200)
            #expect(await store.content.isEmpty)
            await store.setBroken(false)
            let plain = Browser(host.port)
            _ = try await plain.get("/page/b")
            #expect(await store.content.count == 4)
            #expect(await store.text.contains("/page/a"))
        }
        #expect(await log.finish().contains { $0.contains("could not be stored") })
    }
}
