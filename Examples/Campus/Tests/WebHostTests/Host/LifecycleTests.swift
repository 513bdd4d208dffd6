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
            #expect(await stream.next() == nil, "without a word: the page tries again until there is a server")
            #expect(await stream.endsProperly)
            await host.probe.endings(1)
        }
    }

    @Test func `a port that is taken is an error that offers --port`() async throws {
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

    @Test func `a template that is not Mustache is refused before anything is served`() throws {
        var app = ToyModule.app(probe: Probe())
        app.templates["broken"] = "{{#open}}"
        let error = #expect(throws: WebHostError.self) { try WebHost(app: app) }
        #expect(error?.code == .invalidTemplate)
        #expect(error?.description.contains("'broken'") ?? false)
    }

    @Test func `a section whose template is missing says so and leaves the others alone`() async throws {
        let templates = ToyModule.templates.filter { $0.key != "note" }
        try await TestHost.run(templates: templates) { host in
            let page = try await Browser(host.port).get("/")
            #expect(page.body.contains("This part of the page cannot be shown"))
            #expect(page.text("count") == "0")
        }
    }
}
