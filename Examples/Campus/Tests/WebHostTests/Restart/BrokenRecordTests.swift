import BackplaneTesting
import CampusTestSupport
import Foundation
import Testing
import WebHost

/// Tests of unusable records: the host logs them, and their sessions or windows start again.
@Suite(.timeLimit(.minutes(5)))
struct BrokenRecordTests {
    /// A change of a record's text.
    struct Damage: CustomTestStringConvertible {
        let old: String
        let new: String

        var testDescription: String { "\(old) -> \(new.prefix(40))" }
    }

    let store = MemoryStore()

    /// Runs a second host on damaged records of a window at `/page/private`.
    ///
    /// - Returns: the log of the second host.
    private func withHost(
        _ damage: Damage,
        in sort: String = "window",
        _ body: (TestHost, Browser, Reply, MemoryStore) async throws -> Void
    ) async throws -> [String] {
        let log = LogCapture()
        try await TestHost.run(store: store) { host in
            let browser = Browser(host.port, isScripted: false)
            let page = try await browser.get("/page/private")
            var content = await store.content
            for (key, data) in content where key.hasPrefix(sort) {
                let text = String(decoding: data, as: UTF8.self)
                try #require(text.contains(damage.old))
                content[key] = Data(text.replacing(damage.old, with: damage.new).utf8)
            }
            let left = MemoryStore(content)
            try await TestHost.run(store: left, logger: log.logger) { host in
                browser.meet(host)
                try await body(host, browser, page, left)
            }
        }
        return await log.finish()
    }

    @Test(arguments: ["1e300", "-1e300"])
    func `a session with an impossible time does not end the process`(_ time: String) async throws {
        let content = ["session/a": Data(#"{"cookie":"c","usedAt":\#(time)}"#.utf8)]
        try await TestHost.run(store: MemoryStore(content)) { host in
            let reply = try await Browser(host.port).get("/")
            #expect(reply.status == 200)
        }
    }

    private func expectFreshStart(_ host: TestHost, _ browser: Browser, _ page: Reply) async throws {
        let stream = try await browser.connect(page)
        #expect(await stream.next()?.name == "reload")
        let fresh = try await browser.get("/page/private?_window=\(try page.data("window"))")
        #expect(fresh.status == 200)
        #expect(fresh.text("note") == "untouched", "at the requested path")
        #expect(try fresh.data("window") != page.data("window"))
    }

    @Test(arguments: [
        Damage(old: "{", new: "["),
        Damage(old: #""csrf":""#, new: #""csrf":"0"#),
        Damage(old: #""session":""#, new: #""session":"0"#),
        Damage(old: #""screen":1"#, new: #""screen":-1"#),
        Damage(old: #""board":"page""#, new: #""board":{}"#),
        Damage(
            old: #""input":"private""#,
            new: #""input":"# + String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        ),
    ])
    func `an unreadable record is removed`(_ damage: Damage) async throws {
        let log = try await withHost(damage) { host, browser, page, left in
            #expect(await left.content.count(of: "window") == 0)
            try await expectFreshStart(host, browser, page)
        }
        #expect(log.contains { $0.contains("'window/") } == !damage.old.contains("session"))
        #expect(!log.contains { $0.contains("private") || $0.contains("csrf") })
    }

    @Test(arguments: [
        Damage(old: #""board":"page""#, new: #""board":"gone""#),
        Damage(old: #""input":"private""#, new: #""input":7"#),
        Damage(old: #""input":"private""#, new: #""obstacle":"anything at all""#),
        Damage(
            old: #""input":"private""#,
            new: #""input":"# + String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
        ),
    ])
    func `the log names boards that are missing or do not accept their input`(_ damage: Damage) async throws {
        let log = try await withHost(damage) { host, browser, page, _ in
            try await expectFreshStart(host, browser, page)
        }
        #expect(
            log.contains { $0.contains("was restored without '\(damage.new.contains("gone") ? "gone" : "page"): ") }
        )
        #expect(!log.contains { $0.contains("private") })
    }

    @Test(arguments: [
        Damage(old: #""screen":1"#, new: #""screen":4294967295"#),
        Damage(old: #""path":"\/page\/private""#, new: #""path":"nonsense""#),
        Damage(old: #""boards":[{"#, new: #""boards":[{"board":"gone","input":null},{"#),
        Damage(old: #""stack":["#, new: #""stack":[{"path":"\/page\/more","isModal":true},"#),
    ])
    func `a partly broken window shows its usable screens`(_ damage: Damage) async throws {
        _ = try await withHost(damage) { host, browser, page, _ in
            let stream = try await browser.connect(page)
            let event = try #require(await stream.next())
            #expect(try event.value("path") == "/page/private")
            await stream.close()
        }
    }

    @Test func `an unreadable session is removed with all its windows`() async throws {
        let log = try await withHost(Damage(old: "{", new: ""), in: "session") { host, browser, page, left in
            #expect(await left.content.isEmpty)
            let old = browser.session
            try await expectFreshStart(host, browser, page)
            #expect(browser.session != old)
        }
        #expect(log.contains { $0.contains("'session/") })
    }

    @Test func `with an unreadable store, the host does not start, and the error has a remedy`() async throws {
        struct Unreadable: SessionStore {
            func records() async throws -> [String: Data] { throw MemoryStore.Broken() }
            func update(_ changes: [String: Data?]) async throws {}
        }
        let error = await #expect(throws: WebHostError.self) {
            try await TestHost.run(store: Unreadable()) { _ in }
        }
        #expect(error?.code == .storeUnreadable)
        #expect(error?.description.contains("Repair the store") ?? false)
    }
}
