import BackplaneTesting
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

    /// Runs `body` against a host that is shut down gracefully afterwards, and waits for that.
    ///
    /// Its clock is the time of day as well, which is `start` at first: a host over the store of another begins later.
    static func run(
        _ configuration: WebHostConfiguration = WebHostConfiguration(),
        templates: [String: String] = ToyModule.templates,
        store: (any SessionStore)? = nil,
        startingAt start: Duration = .zero,
        logger: Logger = silent,
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
        let host = try WebHost(app: app, configuration: configuration, store: store, logger: logger) {
            port.yield($0)
        }
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

    /// Waits until the code under test sleeps: one for each session's idle end, one for each grace or wait that runs.
    func sleepers(_ count: Int) async { await clock.sleepers(atLeast: count) }
}
