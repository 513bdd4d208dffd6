import ArgumentParser
import CampusAPI
import CampusApp
import CampusModels
import CampusSessions
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals
import WebHost

/// What the app can be told.
struct AppOptions: ParsableArguments {
    @Option(help: "The address to listen on.") var host = "127.0.0.1"
    @Option(help: "The port of the app; 0 takes any free one.") var port = 8080

    @Option(
        help: """
            The file that keeps who is logged in and what they see, so that it survives a restart; made when there is none. By \
            default campus-sessions.sqlite, in the directory of the API's database if that runs here.
            """
    )
    var sessions: String?

    @Option(
        help: """
            A directory to write what happens in each window into, as a line of JSON for each event. It holds what people write.
            """
    )
    var eventLogs: String?

    /// The app, ready to run, talking to the API at `api`; it keeps its sessions in `directory` unless told otherwise.
    func host(api: String, directory: String = "", logger: Logger) throws -> any Service {
        let sessions = URL(filePath: sessions ?? "\(directory)campus-sessions.sqlite")
        let app = try CampusApp.webApp(
            api: url(ofAPI: api),
            tokens: sessions,
            drafts: sessions,
            eventLogs: eventLogs.map { try EventLogDirectory(url: URL(filePath: $0)) }
        ) { line in logger.info("\(line)") }
        var configuration = WebHostConfiguration()
        configuration.host = host
        configuration.port = port
        let store = try SQLiteSessionStore(file: sessions)
        return try WebHost(app: app, configuration: configuration, store: store, logger: logger) { port in
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
            'slow=/courses/*/tutor:800ms,fail=/courses/*/schedule:2'. Allows changing them over POST /_faults, and makes access tokens \
            expire after 5 seconds. Without rules, '', that is all.
            """
    )
    var faults: String?

    /// The directory of the database, with a slash at its end; empty if it is the current one.
    var directory: String {
        database.lastIndex(of: "/").map { String(database[...$0]) } ?? ""
    }

    func configuration(host: String, port: Int) throws -> CampusAPIServer.Configuration {
        var configuration = CampusAPIServer.Configuration(databasePath: database)
        configuration.host = host
        configuration.port = port
        if let faults {
            configuration.faults = try Faults(faults)
            // So that what comes of it is to be seen soon.
            configuration.accessTokenLifetime = .seconds(5)
        }
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
