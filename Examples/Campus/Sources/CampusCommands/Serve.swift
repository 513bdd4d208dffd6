import ArgumentParser
import BackplaneNetworking
import CampusAPI
import CampusModels
import CampusSessions
import Logging
import ServiceLifecycle

/// A command that runs the API and the app in one process.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the API and the app in one process."
    )

    @OptionGroup var app: AppOptions
    @OptionGroup var api: APIOptions
    @OptionGroup var shared: AppKeyOption
    @OptionGroup var log: LogOptions
    @Option(help: "The port of the API; 0 selects a free port.") var apiPort = 0

    func run() async throws {
        // By default, only this process knows the key.
        let key = try shared.key() ?? AppKey.random()
        let service = Both(
            app: app,
            key: key,
            configuration: try api.configuration(host: app.host, port: apiPort, appKey: key),
            // Before the API starts, because a server that must stop again logs misleading errors.
            sessions: try app.openSessions(in: api.directory),
            logger: log.logger("campus"),
            securityLogger: log.logger("campus.security")
        )
        try await run([service])
    }

    /// A service that starts the API first, and then the app, which needs the API's address.
    private struct Both: Service {
        let app: AppOptions
        let key: AppKey
        let configuration: CampusAPIServer.Configuration
        let sessions: SQLiteSessionStore
        let logger: Logger
        let securityLogger: Logger

        func run() async throws {
            try await withAPI(configuration, logger: logger, securityLogger: securityLogger) { address in
                announce("API is running at \(address.url)")
                // Faults are also those of connections.
                let transport: any NetworkTransport =
                    configuration.faults == nil ? LocalTransport(api: address.local) : Campus.transport.make()
                try await app.host(api: address.url, over: transport, key: key, sessions: sessions, logger: logger)
                    .run()
            }
        }
    }
}
