import BackplaneTesting
import Foundation
import ServiceLifecycle
import Testing
import WebHost

/// Tests of a new host on the store of an ended host: a session returns to its screens.
@Suite(.timeLimit(.minutes(5)))
struct ReturnTests {
    let store = MemoryStore()

    /// Runs `body` with a host on a copy of the store, as after a crash.
    private func afterACrash(
        _ configuration: WebHostConfiguration = WebHostConfiguration(),
        _ body: (TestHost) async throws -> Void
    ) async throws {
        try await TestHost.run(configuration, store: store.copy(), body)
    }

    @Test func `an open page continues in its window with all its screens and without a reload`() async throws {
        try await TestHost.run(store: store) { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.connect(page)
            var last: ServerEvent?
            for path in ["/page/a", "/page/b"] {
                _ = try await browser.post("_navigate", ["path": path], on: page)
                last = try await stream.nextOfMain()
            }
            let shown = try #require(last)
            try await afterACrash { other in
                browser.meet(other)
                let stream = try await browser.connect(page, lastEventID: shown.id)
                let again = try #require(try await stream.nextOfMain())
                #expect(again.name == "screen")
                #expect(try again.value("path") == "/page/b")
                #expect(try again.value("number") == shown.value("number"), "the page continues with its screen")
                #expect(try #require(try again.value("html")).contains(try page.data("csrf")))
                #expect(await other.probe.activations(2) == ["/page/a", "/page/b"])

                let fields = ["_event": "note", "text": "new", "_csrf": try page.data("csrf")]
                let screen = ["_screen": try #require(try shown.value("number"))]
                let endpoint = "/_host/windows/\(try page.data("window"))/events"
                #expect(try await browser.post(fields.merging(screen) { $1 }, to: endpoint).status == 204)
                #expect(try #require(try await stream.nextOfMain()?.value("html")).contains(">new<"))

                _ = try await browser.post("_navigate", ["path": "/page/a"], on: page)
                #expect(try await stream.nextOfMain()?.value("path") == "/page/a")
                _ = try await browser.post("_navigate", ["path": "/"], on: page)
                #expect(try await stream.nextOfMain()?.value("path") == "/")
                _ = try await browser.post("_navigate", ["path": "/page/c"], on: page)
                #expect(await other.probe.activations(1) == ["/page/c"], "the other screens were still there")
                await stream.close()
            }
            await stream.close()
        }
    }

    @Test func `a page whose window takes longer to return than the grace period is not lost`() async throws {
        try await TestHost.run(store: store) { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/page/a")
            let gate = AsyncLatch()
            let wait = { @Sendable () async in await gate.wait() }
            try await TestHost.run(store: store.copy(), prepare: wait) { other in
                browser.meet(other)
                let stream = try await browser.connect(page)
                await gate.arrivals(atLeast: 1)
                other.clock.advance(by: .seconds(60))
                gate.open()
                #expect(try await stream.nextOfMain()?.value("path") == "/page/a")
                #expect(try await browser.post("note", ["text": "new"], on: page).status == 204)
                await stream.close()
            }
        }
    }

    @Test func `a form of an old page still works without script and leads back to its window`() async throws {
        try await TestHost.run(store: store) { host in
            let browser = Browser(host.port, isScripted: false)
            let page = try await browser.get("/page/a")
            try await afterACrash { other in
                browser.meet(other)
                let answer = try await browser.post("note", ["text": "new"], on: page)
                let location = try #require(answer.header("location"))
                #expect(location == "/page/a?_window=\(try page.data("window"))")
                #expect(try await browser.get(location).text("note") == "new")
            }
        }
    }

    @Test func `an old address without script leads to its window, also with a new screen on top`() async throws {
        try await TestHost.run(store: store) { host in
            let browser = Browser(host.port, isScripted: false)
            _ = try await browser.get("/")
            let request = browser.request("/late/abc")
            async let reply = Browser.fetch(request)
            await host.sleepers(2)
            host.clock.advance(by: .seconds(2))
            let page = try await reply
            let link = "/?_window=\(try page.data("window"))"
            #expect(page.body.contains(link))
            host.probe.gate.open()
            await store.until { $0.values.contains { String(decoding: $0, as: UTF8.self).contains(#"slow\/abc"#) } }
            try await afterACrash { other in
                other.probe.gate.open()
                browser.meet(other)
                let again = try await browser.get(link)
                #expect(again.body.contains("Here is abc"))
            }
        }
    }

    @Test func `a restored window shows its top screen, even if a board has lost its screen`() async throws {
        try await TestHost.run(store: store) { host in
            let browser = Browser(host.port, isScripted: false)
            host.probe.gate.open()
            let page = try await browser.get("/")
            for path in ["/slow/gone", "/"] {
                #expect(try await browser.get("\(path)?_window=\(try page.data("window"))").status == 200)
            }
            try await afterACrash { other in
                other.probe.gate.open()
                browser.meet(other)
                let stream = try await browser.connect(page)
                #expect(try await stream.nextOfMain()?.value("path") == "/")
                await stream.close()
            }
        }
    }

    @Test func `a screen without a board is restored by its link`() async throws {
        try await TestHost.run(store: store) { host in
            let browser = Browser(host.port, isScripted: false)
            let page = try await browser.get("/")
            let location = try #require(try await browser.post("slow", on: page).header("location"))
            #expect(try await browser.get(location).body.contains("Here is pushed"))
            try await afterACrash { other in
                other.probe.gate.open()
                browser.meet(other)
                #expect(try await browser.get(location).body.contains("Here is pushed"))
                let stream = try await browser.connect(page)
                _ = try await stream.nextOfMain()
                _ = try await browser.post("_navigate", ["path": "/"], on: page)
                #expect(try await stream.nextOfMain()?.value("path") == "/")
                await stream.close()
            }
        }
    }

    @Test func `a page waits while its restored board passes a gate`() async throws {
        try await TestHost.run(store: store) { host in
            host.probe.door.open()
            let browser = Browser(host.port, isScripted: false)
            let page = try await browser.get("/member/a")
            #expect(page.body.contains("untouched"))
            try await afterACrash { other in
                browser.meet(other)
                let request = browser.request("/member/a?_window=\(try page.data("window"))")
                async let reply = Browser.fetch(request)
                await other.sleepers(2)  // the session's idle timeout and the wait for a screen
                other.probe.door.open()
                let again = try await reply
                #expect(try again.data("window") == page.data("window"))
                #expect(try again.hidden("_screen") == page.hidden("_screen"))
                #expect(again.body.contains("untouched"))
            }
        }
    }

    @Test func `if a page waits too long for a gate, it is empty, and the screen arrives later`() async throws {
        try await TestHost.run(store: store) { host in
            host.probe.door.open()
            let browser = Browser(host.port)
            let page = try await browser.get("/member/a")
            let stream = try await browser.connect(page)
            await stream.close()
            try await afterACrash { other in
                browser.meet(other)
                let stream = try await browser.connect(page)
                await other.sleepers(3)  // idle timeout, grace of all other windows, wait for a screen
                other.clock.advance(by: .seconds(2))
                let blank = try #require(try await stream.nextOfMain())
                #expect(try blank.value("path") == "/member/a", "the address stays")
                other.probe.door.open()
                #expect(try #require(try await stream.nextOfMain()?.value("html")).contains("untouched"))
                await stream.close()
            }
        }
    }

    @Test func `if a host ends while a window is restored, the stored window stays complete`() async throws {
        try await TestHost.run(store: store) { host in
            host.probe.door.open()
            let browser = Browser(host.port, isScripted: false)
            let page = try await browser.get("/member/a")
            let left = await store.copy()
            try await TestHost.run(store: left) { other in
                browser.meet(other)
                let request = browser.request("/member/a?_window=\(try page.data("window"))")
                async let reply = Browser.fetch(request)
                await other.sleepers(2)  // the session's idle timeout and the wait for a screen
                await other.group.triggerGracefulShutdown()
                other.clock.advance(by: .seconds(2))
                await other.sleepers(2)  // the wait for the screen to load
                other.clock.advance(by: .seconds(2))
                _ = try? await reply
            }
            try await TestHost.run(store: left) { third in
                third.probe.door.open()
                browser.meet(third)
                let again = try await browser.get("/member/a?_window=\(try page.data("window"))")
                #expect(again.body.contains("untouched"))
                #expect(try again.data("window") == page.data("window"))
            }
        }
    }

    @Test func `a screen opened while another waits at a gate stays on the stack`() async throws {
        try await TestHost.run(store: store) { host in
            host.probe.door.open()
            let browser = Browser(host.port)
            let page = try await browser.get("/member/a")
            try await afterACrash { other in
                browser.meet(other)
                let stream = try await browser.connect(page)
                await other.sleepers(3)  // the same sleepers as above
                other.clock.advance(by: .seconds(2))
                _ = try await stream.nextOfMain()
                _ = try await browser.post("_navigate", ["path": "/page/z"], on: page)
                #expect(try await stream.nextOfMain()?.value("path") == "/page/z")
                other.probe.door.open()
                #expect(try await stream.nextOfMain()?.value("path") == "/member/a")
                _ = try await browser.post("_navigate", ["path": "/page/z"], on: page)
                #expect(try await stream.nextOfMain()?.value("path") == "/page/z")
                _ = try await browser.post("_navigate", ["path": "/page/c"], on: page)
                #expect(await other.probe.activations(3) == ["/page/z", "/member/a", "/page/c"])
                await stream.close()
            }
        }
    }

    @Test func `restored screens keep their order, even if some arrive late`() async throws {
        try await TestHost.run(store: store) { host in
            host.probe.door.open()
            let browser = Browser(host.port)
            let page = try await browser.get("/member/a")
            let stream = try await browser.connect(page)
            _ = try await browser.post("_navigate", ["path": "/page/b"], on: page)
            #expect(try await stream.nextOfMain()?.value("path") == "/page/b")
            await stream.close()
            try await afterACrash { other in
                browser.meet(other)
                let stream = try await browser.connect(page)
                #expect(try await stream.nextOfMain()?.value("path") == "/page/b")
                other.probe.door.open()
                // The member's page arrives on top and is then moved below.
                #expect(await other.probe.activations(2) == ["/page/b", "/member/a"])
                _ = try await browser.post("_navigate", ["path": "/member/a"], on: page)
                var event = try await stream.nextOfMain()
                while try event?.value("path") == "/page/b" { event = try await stream.nextOfMain() }
                #expect(try event?.value("path") == "/member/a")
                _ = try await browser.post("_navigate", ["path": "/page/c"], on: page)
                #expect(await other.probe.activations(1) == ["/page/c"], "the member's page was already there")
                await stream.close()
            }
        }
    }

    @Test func `a board that waited at a gate waits again after a restart`() async throws {
        try await TestHost.run(store: store) { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/member/a")
            let stream = try await browser.connect(page)
            await stream.close()
            await store.until { $0.count(of: "window") == 1 }
            try await afterACrash { other in
                other.probe.door.open()
                browser.meet(other)
                let stream = try await browser.connect(page)
                #expect(try #require(try await stream.nextOfMain()?.value("html")).contains("untouched"))
                await stream.close()
            }
        }
    }

    @Test func `a waiting board in an older record format returns to its gate`() async throws {
        try await TestHost.run(store: store) { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/guest/a")
            var content = await store.content
            for (key, data) in content where key.hasPrefix("window") {
                let text = String(decoding: data, as: UTF8.self)
                try #require(text.contains(#""gate":"reception""#))
                content[key] = Data(text.replacing(#""gate":"reception""#, with: #""waiting":true"#).utf8)
            }
            try await TestHost.run(store: MemoryStore(content)) { other in
                browser.meet(other)
                let stream = try await browser.connect(page)
                #expect(
                    try await stream.nextOfMain()?.value("path") == "/",
                    "the form again, not the page behind the gate"
                )
                _ = try await browser.post("enter", on: page)
                #expect(try await stream.nextOfMain()?.value("path") == "/guest/a")
                await stream.close()
            }
        }
    }

    @Test func `a gate board's form is not restored as a separate screen`() async throws {
        try await TestHost.run(store: store) { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/guest/a")
            #expect(try page.data("path") == "/")
            try await afterACrash { other in
                browser.meet(other)
                let stream = try await browser.connect(page)
                #expect(try await stream.nextOfMain()?.value("path") == "/")
                _ = try await browser.post("enter", on: page)
                #expect(try await stream.nextOfMain()?.value("path") == "/guest/a")
                _ = try await browser.post("_navigate", ["path": "/page/b"], on: page)
                #expect(try await stream.nextOfMain()?.value("path") == "/page/b")
                #expect(await other.probe.activations(2) == ["/guest/a", "/page/b"])
                await stream.close()
            }
        }
    }

    @Test func `concurrent requests share one window, which is restored once`() async throws {
        try await TestHost.run(store: store) { host in
            let browser = Browser(host.port, isScripted: false)
            let page = try await browser.get("/page/a")
            try await afterACrash { other in
                browser.meet(other)
                let request = browser.request("/page/a?_window=\(try page.data("window"))")
                let windows = try await withThrowingTaskGroup { group in
                    for _ in 0..<8 { group.addTask { try await Browser.fetch(request).data("window") } }
                    return try await group.reduce(into: Set<String>()) { $0.insert($1) }
                }
                #expect(try windows == [page.data("window")])
                _ = try await browser.get("/page/b")
                #expect(await other.probe.activations(2) == ["/page/a", "/page/b"])
                _ = try await browser.post("signOut", on: try await browser.get("/"))
                let id = try sessionID(await store.content)
                #expect(await other.probe.sessions(2) == ["made \(id)", "forgot \(id)"])
            }
        }
    }

    @Test func `a change is stored before its page is notified`() async throws {
        try await TestHost.run(store: store) { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/page/a")
            #expect(await store.text.contains("/page/a"))
            let stream = try await browser.connect(page)
            for name in 0..<20 {
                _ = try await browser.post("_navigate", ["path": "/page/\(name)"], on: page)
                #expect(try await stream.nextOfMain()?.value("path") == "/page/\(name)")
                #expect(await store.text.contains(#""path":"/page/\#(name)""#))
            }
            await stream.close()
        }
    }

    @Test func `a change is stored, even if no page is connected`() async throws {
        try await TestHost.run(store: store) { host in
            host.probe.door.open()
            let browser = Browser(host.port)
            _ = try await browser.get("/late/abc")
            host.probe.gate.open()
            // No page is connected, so no page is notified of the new screen.
            await store.until { $0.values.contains { String(decoding: $0, as: UTF8.self).contains(#"slow\/abc"#) } }
        }
    }

    @Test func `a graceful shutdown ends the windows but keeps their stored records`() async throws {
        let browser = Browser(0)
        var page: Reply?
        try await TestHost.run(store: store) { host in
            browser.meet(host)
            page = try await browser.get("/")
            await host.group.triggerGracefulShutdown()
            await host.probe.endings(1)
        }
        #expect(await store.content.count(of: "window") == 1)
        try await TestHost.run(store: store) { host in
            browser.meet(host)
            let session = browser.session
            let stream = try await browser.connect(try #require(page))
            #expect(try await stream.nextOfMain()?.value("path") == "/")
            #expect(browser.session == session)
            let id = try sessionID(await store.content)
            #expect(await host.probe.sessions(1) == ["made \(id)"])
            await stream.close()
        }
    }

    @Test func `a host without a store restores no session`() async throws {
        let browser = Browser(0)
        var page: Reply?
        try await TestHost.run { host in
            browser.meet(host)
            page = try await browser.get("/")
            let id = await host.probe.sessions(1)
            await host.group.triggerGracefulShutdown()
            #expect(await host.probe.sessions(1) == id.map { $0.replacing("made", with: "forgot") })
        }
        try await TestHost.run { host in
            browser.meet(host)
            let stream = try await browser.connect(try #require(page))
            #expect(await stream.next()?.name == "reload")
        }
    }
}

/// Returns the ID of the only stored session.
func sessionID(_ content: [String: Data]) throws -> String {
    let keys = content.keys.filter { $0.hasPrefix("session/") }
    #expect(keys.count == 1)
    return String(try #require(keys.first).dropFirst(8))
}
