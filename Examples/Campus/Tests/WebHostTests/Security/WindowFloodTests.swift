import CampusTestSupport
import Testing
import WebHost

/// Attacks that fill the memory of the host with the windows and streams of one session.
@Suite(.timeLimit(.minutes(5)))
struct WindowFloodTests {
    /// Connects a page, and returns when its window has the connection.
    private func open(_ browser: Browser) async throws -> EventConnection {
        let page = try await browser.get("/")
        let stream = try await browser.connect(page)
        _ = try await browser.post("increment", on: page)
        _ = await stream.next()
        return stream
    }

    @Test func `connected windows count for the limit, and a further page is refused`() async throws {
        var configuration = WebHostConfiguration()
        configuration.windowLimit = 2
        let log = LogCapture()
        try await TestHost.run(configuration, security: log.logger) { host in
            let browser = Browser(host.port)
            let streams = [try await open(browser), try await open(browser)]
            let refused = try await browser.get("/")
            #expect(refused.status == 503)
            #expect(refused.header("retry-after") == "60")
            #expect(refused.body.contains("Too many tabs"))

            await streams[0].close()
            while try await browser.get("/").status == 503 { await Task.yield() }
            await streams[1].close()
        }
        #expect(await log.finish().first?.contains("limit.windows") ?? false)
    }

    @Test func `a visitor has fewer windows than a user`() async throws {
        var configuration = WebHostConfiguration()
        configuration.visitorWindowLimit = 1
        try await TestHost.run(configuration) { host in
            let browser = Browser(host.port, isScripted: false)
            let first = try await browser.get("/")
            let second = try await browser.get("/")
            #expect(try await browser.post("increment", on: first).header("location") == "/", "the window has ended")
            let location = try #require(try await browser.post("signIn", on: second).header("location"))
            let user = try await browser.get(location)
            _ = try await browser.get("/")
            let answer = try await browser.post("increment", on: user)
            #expect(try answer.header("location") == "/?_window=\(user.data("window"))")
        }
    }

    @Test func `a flood of streams replaces the oldest stream of its window`() async throws {
        let log = LogCapture()
        try await TestHost.run(security: log.logger) { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            var streams: [EventConnection] = []
            for number in 1...5 {
                let stream = try await browser.connect(page)
                _ = try await browser.post("note", ["text": "\(number)"], on: page)
                while try await stream.next()?.value("html")?.contains(">\(number)<") == false {}
                streams.append(stream)
            }
            var last: ServerEvent?
            while let event = await streams[0].next() { last = event }
            #expect(last?.name == "reload")
            _ = try await browser.post("increment", on: page)
            for stream in streams.dropFirst() {
                while try await stream.next()?.value("id") == "note" {}
                await stream.close()
            }
        }
        let lines = await log.finish()
        #expect(lines.count == 1)
        #expect(lines.first?.contains("limit.streams") ?? false)
    }
}
