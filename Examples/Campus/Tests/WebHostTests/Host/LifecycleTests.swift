import BackplaneTesting
import ServiceLifecycle
import Testing
import WebHost

@Suite(.timeLimit(.minutes(5)))
struct LifecycleTests {
    @Test func `a graceful shutdown closes open streams and completes every window's motherboard`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.connect(page)
            _ = try await browser.post("increment", on: page)
            #expect(await stream.next()?.name == "section")
            await host.group.triggerGracefulShutdown()
            #expect(await stream.next() == nil, "no event: the page reconnects until a server responds")
            #expect(await stream.endsProperly)
            await host.probe.endings(1)
        }
    }

    @Test func `a request under way at a graceful shutdown gets its response`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port, isScripted: false)
            _ = try await browser.get("/")
            let request = browser.request("/slow/abc")
            async let reply = Browser.fetch(request)
            await host.sleepers(2)  // the session's idle timeout and the page's wait
            await host.group.triggerGracefulShutdown()
            host.probe.gate.open()
            let page = try await reply
            #expect(page.status == 200)
            #expect(page.body.contains("Here is abc"))
        }
    }

    @Test func `running on a taken port throws an error that mentions the port option`() async throws {
        try await TestHost.run { host in
            var configuration = WebHostConfiguration()
            configuration.port = host.port
            let second = try WebHost(
                app: ToyModule.app(probe: Probe()),
                configuration: configuration,
                logger: TestHost.silent
            )
            let error = await #expect(throws: WebHostError.self) { try await second.run() }
            #expect(error?.code == .portInUse)
            #expect(error?.description.contains("Port \(host.port) of 127.0.0.1 is already in use") ?? false)
            #expect(error?.description.contains("--port") ?? false)
        }
    }

    @Test func `an invalid template is refused before the host serves requests`() throws {
        var app = ToyModule.app(probe: Probe())
        app.templates["broken"] = "{{#open}}"
        let error = #expect(throws: WebHostError.self) { try WebHost(app: app) }
        #expect(error?.code == .invalidTemplate)
        #expect(error?.description.contains("'broken'") ?? false)
    }

    @Test func `a section without its template shows an error, and the other sections show`() async throws {
        let templates = ToyModule.templates.filter { $0.key != "note" }
        try await TestHost.run(templates: templates) { host in
            let page = try await Browser(host.port).get("/")
            #expect(page.body.contains("This part of the page cannot be shown"))
            #expect(page.text("count") == "0")
        }
    }
}
