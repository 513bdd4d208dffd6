import AsyncHTTPClient
import BackplaneTesting
import Foundation
import NIOCore
import NIOHTTP1
import Testing
import WebHost

/// Tests of events whose responses are lost, because the host is killed.
@Suite(.timeLimit(.minutes(5)))
struct RepeatedEventTests {
    private let store = MemoryStore()

    @Test func `an event that was handled before a crash is not handled again when the page repeats it`() async throws {
        try await TestHost.run(store: store) { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.attach(page)
            #expect(try await browser.post("increment", ["_id": "a.1"], on: page).status == 204)
            try await TestHost.run(store: store.copy()) { other in
                browser.meet(other)
                let again = try await browser.connect(page)
                _ = try await again.nextOfMain()
                #expect(try await browser.post("increment", ["_id": "a.1"], on: page).status == 204)
                #expect(try await browser.post("increment", ["_id": "a.2"], on: page).status == 204)
                let count = try #require(try await again.nextOfMain()?.value("html"))
                #expect(count.contains(">1<"), "the toy counts from zero after a restart")
                await again.close()
            }
            await stream.close()
        }
    }

    @Test func `events that are about one change have one identity in all tabs of a session, and in no other`()
        async throws
    {
        try await TestHost.run(store: store) { host in
            let (browser, other) = (Browser(host.port), Browser(host.port))
            func identity(_ browser: Browser, _ fields: [String: String]) async throws -> String {
                let page = try await browser.get("/")
                let stream = try await browser.attach(page)
                _ = try await browser.post("identity", fields, on: page)
                let html = try #require(try await stream.nextOfMain()?.value("html"))
                await stream.close()
                return try #require(html.firstMatch(of: /title="([^"]*)"/).map { String($0.1) })
            }
            let first = try await identity(browser, ["_id": "a.1", "_once": "order.0"])
            #expect(UUID(uuidString: first) != nil)
            #expect(try await identity(browser, ["_id": "b.7", "_once": "order.0"]) == first)
            #expect(try await identity(browser, ["_once": "order.0"]) == first)
            let others = [
                try await identity(browser, ["_id": "a.1", "_once": "order.1"]),
                try await identity(browser, ["_id": "a.1"]), try await identity(browser, ["_id": "a.1"]),
                try await identity(other, ["_id": "a.1", "_once": "order.0"]),
            ]
            #expect(Set(others + [first]).count == 5)
            #expect(try await identity(browser, [:]) == "none")
        }
    }

    @Test func `an event is answered only when it is stored, and is handled once although the page repeats it`()
        async throws
    {
        try await TestHost.run(store: store) { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.attach(page)
            await store.setBroken(true)
            for _ in 0..<2 {
                let refused = try await browser.post("increment", ["_id": "a.1"], on: page)
                #expect(refused.status == 503)
                #expect(refused.header("retry-after") == "1")
            }
            #expect(await !store.text.contains("a.1"))
            await store.setBroken(false)
            #expect(try await browser.post("increment", ["_id": "a.1"], on: page).status == 204)
            #expect(await store.text.contains("a.1"))
            let count = try #require(try await stream.nextOfMain()?.value("html"))
            #expect(count.contains(">1<"))
            #expect(try await browser.get("/health/ready").status == 200)
            await stream.close()
        }
        #expect(await store.isClosed)
    }

    @Test(arguments: [true, false])
    func `a page learns that its event was handled only when its tasks have saved their changes`(
        savesInTime: Bool
    ) async throws {
        try await TestHost.run(store: store) { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.attach(page)
            let event = try event("save", on: page, of: browser)
            async let answer = Browser.fetch(event)
            // The idle timeout, and the longest wait for the changes.
            await host.sleepers(2)
            #expect(await !store.text.contains("a.1"))
            if savesInTime { host.probe.gate.open() } else { host.clock.advance(by: .seconds(2)) }
            #expect(try await answer.status == 204)
            host.probe.gate.open()
            await stream.close()
        }
    }

    private func event(_ name: String, on page: Reply, of browser: Browser) throws -> HTTPClientRequest {
        var request = browser.request("/_host/windows/\(try page.data("window"))/events")
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        request.headers.add(name: "x-backplane-script", value: "1")
        let own = "_csrf=\(try page.data("csrf"))&_screen=\(try page.data("screen"))"
        request.body = .bytes(ByteBuffer(string: "_event=\(name)&_id=a.1&\(own)"))
        return request
    }

    @Test func `a page without the script says that an event cannot be stored`() async throws {
        try await TestHost.run(store: store) { host in
            let browser = Browser(host.port, isScripted: false)
            let page = try await browser.get("/")
            await store.setBroken(true)
            let refused = try await browser.post("_navigate", ["path": "/page/a"], on: page)
            #expect(refused.status == 503)
            #expect(refused.body.contains("cannot be saved"))
        }
    }

    @Test func `a page learns that its event was handled only when the app has stored the effects`() async throws {
        let gate = AsyncLatch()
        let wait = { @Sendable () async in await gate.wait() }
        try await TestHost.run(store: store, finishStoring: wait) { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.attach(page)
            let event = try event("increment", on: page, of: browser)
            async let answer = Browser.fetch(event)
            await gate.arrivals(atLeast: 1)
            #expect(try await stream.nextOfMain()?.value("id") == "count")
            // After a crash now, the page repeats the event, and it must be handled.
            #expect(await !store.text.contains("a.1"))
            gate.open()
            #expect(try await answer.status == 204)
            #expect(await store.text.contains("a.1"))
            await stream.close()
        }
    }
}
