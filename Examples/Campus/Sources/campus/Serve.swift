import ArgumentParser
import CampusAPI
import CampusModels
import Logging
import ServiceLifecycle

/// A command that runs the API and the app in one process.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the API and the app in one process."
    )

    @OptionGroup var app: AppOptions
    @OptionGroup var api: APIOptions
    @OptionGroup var log: LogOptions
    @Option(help: "The port of the API; 0 selects a free port.") var apiPort = 0

    func run() async throws {
        var configuration = try api.configuration(host: app.host, port: apiPort)
        // Only this process needs to know the key.
        configuration.appKey = configuration.appKey ?? AppKey.random()
        let service = Both(
            app: app,
            configuration: configuration,
            directory: api.directory,
            logger: log.logger("campus"),
            securityLogger: log.logger("campus.security")
        )
        try await run([service])
    }

    /// A service that starts the API first, and then the app, which needs the API's address.
    private struct Both: Service {
        let app: AppOptions
        let configuration: CampusAPIServer.Configuration
        let directory: String
        let logger: Logger
        let securityLogger: Logger

        func run() async throws {
            try await withAPI(configuration, logger: logger, securityLogger: securityLogger) { address in
                announce("API is running at \(address.url)")
                try await app.host(api: address.url, directory: directory, logger: logger).run()
            }
        }
    }
}
