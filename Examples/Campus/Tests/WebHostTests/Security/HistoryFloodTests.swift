import BackplaneTesting
import Foundation
import Testing
import WebHost

/// Attacks that make the history of a window long, which is stored with each change.
@Suite(.timeLimit(.minutes(5)))
struct HistoryFloodTests {
    private let store = MemoryStore()

    /// Opens many pages in one window.
    private func walk(_ count: Int, _ path: @Sendable (Int) -> String) async throws {
        try await TestHost.run(store: store) { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.attach(page)
            for number in 1...count {
                #expect(try await browser.post("_navigate", ["path": path(number)], on: page).status == 204)
            }
            let last = path(count)
            while let event = try await stream.nextOfMain(), try event.value("path") != last {}
            // The root is kept, and so are the last screens.
            _ = try await browser.post("_navigate", ["path": path(count - 3)], on: page)
            #expect(try await stream.nextOfMain()?.value("path") == path(count - 3))
            _ = try await browser.post("_navigate", ["path": "/"], on: page)
            #expect(try await stream.nextOfMain()?.value("path") == "/")
            #expect(await host.probe.activations(count).last == last, "none was opened again")
            await stream.close()
        }
    }

    @Test func `a long walk keeps the root and the last screens, and ends the boards of the others`() async throws {
        try await walk(80) { "/page/\($0)" }
        #expect(await store.largestSize < 8 * 1024)
    }

    @Test func `a walk over long addresses stores no more than a short one`() async throws {
        try await walk(40) { "/page/\(String(repeating: "a", count: 1500))\($0)" }
        #expect(await store.largestSize < 16 * 1024)
    }

    @Test(arguments: [(padding: 0, limit: 8 * 1024), (1500, 64 * 1024)])
    func `each page of a walk writes little`(padding: Int, limit: Int) async throws {
        let count = 250
        try await walk(count) { "/page/\(String(repeating: "a", count: padding))\($0)" }
        #expect(await store.writtenSize / count < limit)
    }

    @Test func `links that wait at a gate are given up, the oldest first`() async throws {
        try await TestHost.run(store: store) { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.attach(page)
            for number in 1...20 {
                _ = try await browser.post("_navigate", ["path": "/member/\(number)"], on: page)
            }
            _ = try await browser.post("increment", on: page)
            while let event = await stream.next(), try event.value("id") != "count" {}
            host.probe.door.open()
            #expect(await host.probe.activations(4) == (17...20).map { "/member/\($0)" })
            await stream.close()
        }
    }

    @Test func `an address that is too long is refused`() async throws {
        try await TestHost.run { host in
            let target = "/page/\(String(repeating: "a", count: 2100))"
            let reply = try await RawRequest.get(target, port: host.port)
            #expect(reply.hasPrefix("HTTP/1.1 400 "))
        }
    }
}
