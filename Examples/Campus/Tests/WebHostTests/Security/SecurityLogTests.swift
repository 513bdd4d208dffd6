import CampusTestSupport
import Testing
import WebHost

/// Attacks that the security log must show, and secrets that it must not show.
@Suite(.timeLimit(.minutes(5)))
struct SecurityLogTests {
    /// Runs `body` with a host, and returns the lines of its security log.
    private func lines(
        _ configuration: WebHostConfiguration = WebHostConfiguration(),
        _ body: (TestHost) async throws -> Void
    ) async throws -> [String] {
        let log = LogCapture()
        try await TestHost.run(configuration, security: log.logger, body)
        return await log.finish()
    }

    @Test func `a forged form is logged with its session and without its token`() async throws {
        var secrets: [String] = []
        let lines = try await lines { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            #expect(try await browser.post("increment", ["_csrf": "guessed"], on: page).status == 403)
            secrets = [try page.data("csrf"), try page.data("window"), try #require(browser.session), "guessed"]
        }
        let line = try #require(lines.first)
        #expect(lines.count == 1)
        for field in ["form.forged", "refused", "127.0.0.1", "session"] { #expect(line.contains(field)) }
        for secret in secrets { #expect(!line.contains(secret)) }
    }

    @Test(arguments: [
        ("/secret?a=private", "link.denied", "/secret"), ("/nowhere?a=private", "link.unknown", "/nowhere"),
        ("/slow/%zz?a=private", "request.malformed", "refused"),
    ])
    func `a refused page request is logged without its query`(
        target: String,
        event: String,
        field: String
    ) async throws {
        let lines = try await lines { host in _ = try await RawRequest.get(target, port: host.port) }
        let line = try #require(lines.first)
        #expect(lines.count == 1)
        for field in [event, field, "refused", "127.0.0.1"] { #expect(line.contains(field)) }
        #expect(!line.contains("private"))
    }

    @Test func `a form that is too long or malformed is logged without its content`() async throws {
        var configuration = WebHostConfiguration()
        configuration.bodyLimit = 100
        let lines = try await lines(configuration) { host in
            let browser = Browser(host.port)
            let endpoint = "/_host/windows/\(try await browser.get("/").data("window"))/events"
            let long = String(repeating: "private", count: 20)
            #expect(try await browser.post(raw: "text=\(long)", to: endpoint).status == 413)
            #expect(try await browser.post(raw: "text=private%zz", to: endpoint).status == 400)
        }
        #expect(lines.count == 2)
        #expect(lines.first?.contains("form.too-long") ?? false)
        #expect(lines.last?.contains("request.malformed") ?? false)
        #expect(!lines.contains { $0.contains("private") })
    }

    @Test func `an ordinary visit writes no line into the log`() async throws {
        let lines = try await lines { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.connect(page)
            _ = try await browser.post("increment", on: page)
            _ = await stream.next()
            await stream.close()
        }
        #expect(lines.isEmpty)
    }
}
