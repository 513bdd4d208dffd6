import BackplaneTesting
import CoreMetrics
import Foundation
import Logging
import ServiceLifecycle
import WebHost

/// A host of the toy app on a real port, with a clock that the test moves.
struct TestHost: Sendable {
    let port: Int
    let clock: ManualClock
    let probe: Probe
    let group: ServiceGroup

    /// Runs `body` with a host, then shuts the host down gracefully and waits for its end.
    ///
    /// The host's clock is also its time of day, which begins at `start`. A host on the store of an
    /// earlier host begins later.
    static func run(
        _ configuration: WebHostConfiguration = WebHostConfiguration(),
        templates: [String: String] = ToyModule.templates,
        store: (any SessionStore)? = nil,
        startingAt start: Duration = .zero,
        logger: Logger = silent,
        security: Logger = silent,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        check: (@Sendable () async throws -> Void)? = nil,
        prepare: (@Sendable () async -> Void)? = nil,
        finishStoring: (@Sendable () async -> Void)? = nil,
        _ body: (TestHost) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let probe = Probe()
        var configuration = configuration
        configuration.port = 0
        configuration.clock = clock
        configuration.now = { Date(timeIntervalSinceReferenceDate: (start + clock.now.offset) / .seconds(1)) }

        let (ports, port) = AsyncStream<Int>.makeStream()
        var app = ToyModule.app(probe: probe)
        app.templates = templates
        app.check = check
        if let finishStoring { app.finishStoring = { _ in await finishStoring() } }
        if let prepare { app.prepare = { _, _ in await prepare() } }
        let host = try WebHost(
            app: app,
            configuration: configuration,
            store: store,
            logger: logger,
            securityLogger: security,
            metrics: metrics
        ) { port.yield($0) }
        let group = ServiceGroup(services: [host], logger: silent)
        let running = Task {
            defer { port.finish() }
            try await group.run()
        }
        for await port in ports {
            let result: Result<Void, any Error>
            do {
                try await body(TestHost(port: port, clock: clock, probe: probe, group: group))
                result = .success(())
            } catch {
                result = .failure(error)
            }
            await group.triggerGracefulShutdown()
            try await running.value
            return try result.get()
        }
        try await running.value
    }

    static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }

    /// Waits until `count` tasks of the code under test sleep.
    ///
    /// One task sleeps for the idle timeouts of all sessions, one for the grace periods of all
    /// windows, one for the handovers of cookies, one for the windows of an earlier host, and one
    /// for each wait of a page.
    func sleepers(_ count: Int) async { await clock.sleepers(atLeast: count) }
}
