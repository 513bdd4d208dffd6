import BackplaneTesting
import CampusTestSupport
import Foundation
import Testing
import WebHost

/// What is stored of whom, for how long, and whom it is shown to.
@Suite(.timeLimit(.minutes(5)))
struct StoredSessionTests {
    let store = MemoryStore()

    private func withHost(
        _ configuration: WebHostConfiguration = WebHostConfiguration(),
        _ body: (TestHost) async throws -> Void
    ) async throws {
        try await TestHost.run(configuration, store: store, body)
    }

    /// A host over what there would be now if the one before had been killed, some time later.
    private func afterACrash(
        _ configuration: WebHostConfiguration = WebHostConfiguration(),
        later: Duration = .zero,
        _ body: (TestHost, MemoryStore) async throws -> Void
    ) async throws {
        let left = await store.copy()
        try await TestHost.run(configuration, store: left, startingAt: later) { try await body($0, left) }
    }

    @Test func `neither a cookie nor a window's identity is stored, only what they are recognised by`() async throws {
        try await withHost { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/page/a")
            let text = await store.text
            #expect(text.contains("/page/a"))
            #expect(try !text.contains(#require(browser.session)))
            #expect(try !text.contains(page.data("window")))
        }
    }

    @Test func `a strange cookie, or another's window, gets nothing`() async throws {
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
                #expect(try await stream.next()?.value("path") == "/page/a", "it is still its owner's")
                await stream.close()
            }
        }
    }

    @Test func `what ends a session removes all that is stored of it, and has the app forget the rest`() async throws {
        try await withHost { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            _ = try await browser.get("/page/a")
            let stream = try await browser.connect(page)
            let id = try sessionID(await store.content)
            #expect(await store.content.count(of: "window") == 2)
            #expect(await host.probe.sessions(1) == ["made \(id)"])
            _ = try await browser.post("logOut", on: page)
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

    @Test func `a closed tab's window is removed after the grace, and its session is not`() async throws {
        try await withHost { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.connect(page)
            #expect(await store.content.count == 2)
            await stream.close()
            await host.sleepers(2)
            host.clock.advance(by: .seconds(30))
            await store.until { $0.count(of: "window") == 0 }
            #expect(await store.content.count(of: "session") == 1)
        }
    }

    @Test func `after a restart windows that nobody comes back to go after the grace, but not those without script`()
        async throws
    {
        try await withHost { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/page/a")
            let back = try await browser.get("/page/b")
            let plain = Browser(host.port, isScripted: false)
            let form = try await plain.get("/page/c")
            try await afterACrash { host, left in
                await host.sleepers(3)  // two idle ends and the grace
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

    @Test func `a page that has connected once is known to run the script also after a restart`() async throws {
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

    @Test func `after a restart a session that nobody comes back to ends after what is left of its idle time`()
        async throws
    {
        try await withHost { host in
            let browser = Browser(host.port)
            _ = try await browser.get("/")
            let id = try sessionID(await store.content)
            try await afterACrash(later: .seconds(20 * 60)) { host, left in
                await host.sleepers(2)  // the idle end and the grace of windows that nobody comes back to
                host.clock.advance(by: .seconds(10 * 60))
                await left.until { $0.isEmpty }
                #expect(await host.probe.sessions(2) == ["made \(id)", "forgot \(id)"])
            }
        }
    }

    @Test func `a session that was idle too long while no host ran does not come back`() async throws {
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

    @Test func `a use of the session is written down, if not each`() async throws {
        try await withHost { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            host.clock.advance(by: .seconds(59))
            _ = try await browser.post("increment", on: page)
            // Whatever there is to be written is, before another window.
            _ = try await browser.get("/page/a")
            #expect(await !store.text.contains(#""usedAt":59"#))
            host.clock.advance(by: .seconds(1))
            _ = try await browser.post("increment", on: page)
            await store.until {
                String(decoding: $0.values.map(Array.init).joined(), as: UTF8.self).contains(#""usedAt":60"#)
            }
        }
    }

    @Test func `a renewed session's new cookie is good after a restart, the old one and the other windows are not`()
        async throws
    {
        try await withHost { host in
            let attacker = Browser(host.port)
            let planted = try await attacker.get("/page/theirs")
            let victim = Browser(host.port)
            victim.session = attacker.session
            let page = try await victim.get("/")
            let stream = try await victim.connect(page)
            _ = try await victim.post("logIn", on: page)
            #expect(await stream.next()?.name == "reconnect")
            // The page has been told: by now it must be safe.
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

    @Test func `a renewal also drops the windows that nobody has come back to`() async throws {
        try await withHost { host in
            let browser = Browser(host.port, isScripted: false)
            let old = try await browser.get("/page/old")
            let page = try await browser.get("/")
            try await afterACrash { host, left in
                browser.meet(host)
                _ = try await browser.post("logIn", on: page)
                await left.until { $0.count(of: "window") == 1 }
                #expect(await !left.text.contains("/page/old"))
                let fresh = try await browser.get("/page/old?_window=\(old.data("window"))")
                #expect(try fresh.data("window") != old.data("window"))
            }
        }
    }

    @Test func `windows from before a restart count for the limit, and are the first to go`() async throws {
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

    @Test func `a page that there is not leaves nothing behind`() async throws {
        try await withHost { host in
            #expect(try await Browser(host.port).get("/nowhere").status == 404)
            #expect(try await Browser(host.port).get("/secret").status == 403)
            #expect(await store.updateCount == 0)
            _ = try await Browser(host.port).get("/")
            #expect(await store.content.count == 2, "one session, one window")
        }
    }

    @Test func `changes are stored one after another, and what comes meanwhile at once`() async throws {
        try await withHost { host in
            let pages = (0..<20).map { Browser(host.port).request("/page/\($0)") }
            try await withThrowingTaskGroup { group in
                for page in pages { group.addTask { _ = try await Browser.fetch(page) } }
                try await group.waitForAll()
            }
            #expect(await store.content.count == 40)
            #expect(await store.overlapCount == 0)
            #expect(await store.updateCount < 40)
        }
    }

    @Test func `a store that fails is said to, costs nobody the page, and is made up for with the next change`()
        async throws
    {
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
