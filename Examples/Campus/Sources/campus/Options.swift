import ArgumentParser
import CampusAPI
import CampusApp
import CampusModels
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals
import WebHost

/// What the app can be told.
struct AppOptions: ParsableArguments {
    @Option(help: "The address to listen on.") var host = "127.0.0.1"
    @Option(help: "The port of the app; 0 takes any free one.") var port = 8080

    /// The app, ready to run, talking to the API at `api`.
    func host(api: String, logger: Logger) throws -> any Service {
        let app = try CampusApp.webApp(api: url(ofAPI: api)) { line in logger.info("\(line)") }
        var configuration = WebHostConfiguration()
        configuration.host = host
        configuration.port = port
        return try WebHost(app: app, configuration: configuration, logger: logger) { port in
            announce("Campus is running at http://\(host):\(port)")
            announceDemoUser()
        }
    }
}

/// What the API can be told.
struct APIOptions: ParsableArguments {
    @Option(help: "The database file; made and filled with demo data when there is none.")
    var database = "campus.sqlite"

    @Option(
        help: """
            What the API shall do wrong, for demonstrations and tests: rules such as \
            'slow=/courses/*/tutor:800ms,fail=/courses/*/schedule:2'. Allows changing them over POST /_faults.
            """
    )
    var faults: String?

    func configuration(host: String, port: Int) throws -> CampusAPIServer.Configuration {
        var configuration = CampusAPIServer.Configuration(databasePath: database)
        configuration.host = host
        configuration.port = port
        configuration.faults = try faults.map { try Faults($0) }
        return configuration
    }
}

extension AsyncParsableCommand {
    /// Runs services until one fails or somebody presses Control-C.
    func run(_ services: [any Service]) async throws {
        var logger = Logger(label: "campus.services")
        logger.logLevel = .warning
        try await ServiceGroup(
            services: services,
            gracefulShutdownSignals: [.sigint, .sigterm],
            logger: logger
        ).run()
    }
}

/// Tells whoever waits for it; into a pipe, `print` alone would be held back.
func announce(_ line: String) {
    print(line)
    fflush(nil)
}

/// Tells who to log in as.
func announceDemoUser() {
    announce("Log in as \(DemoUsers.ada.email) with the password '\(DemoUsers.ada.password)'.")
}
