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

/// The options of the app.
struct AppOptions: ParsableArguments {
    @Option(help: "The address to listen on.") var host = "127.0.0.1"
    @Option(help: "The port of the app; 0 selects a free port.") var port = 8080

    @Option(
        help: """
            The file that stores the users' sessions and windows across restarts; it is created if it does not exist. \
            By default campus-sessions.sqlite, in the directory of the API's database if the API runs in this process.
            """
    )
    var sessions: String?

    @Option(
        help: """
            A directory for the event logs of the windows, with one line of JSON for each event. The logs contain \
            texts that users write.
            """
    )
    var eventLogs: String?

    /// Creates the app with the API at `api`.
    ///
    /// Unless the user named a file with `--sessions`, sessions are stored in `directory`.
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

/// The options of the API.
struct APIOptions: ParsableArguments {
    @Option(help: "The database file; it is created with demo data if it does not exist.")
    var database = "campus.sqlite"

    @Option(
        help: """
            Faults of the API for demonstrations and tests: rules such as \
            'slow=/courses/*/tutor:800ms,fail=/courses/*/schedule:2'. Also lets clients change them with \
            POST /_faults, and makes access tokens expire after 5 seconds. An empty text '' sets no rules and has only \
            these two effects.
            """
    )
    var faults: String?

    @Option(
        help: """
            The key with which the app names the addresses of its clients to the API: 32 or more visible ASCII \
            characters. The environment variable CAMPUS_APP_KEY sets it, too, and other users of the machine do not \
            see it there.
            """
    )
    var appKey: String?

    /// The directory of the database with a slash at its end; empty for the current directory.
    var directory: String {
        database.lastIndex(of: "/").map { String(database[...$0]) } ?? ""
    }

    func configuration(host: String, port: Int) throws -> CampusAPIServer.Configuration {
        var configuration = CampusAPIServer.Configuration(databasePath: database)
        configuration.host = host
        configuration.port = port
        if let text = appKey ?? ProcessInfo.processInfo.environment["CAMPUS_APP_KEY"] {
            guard let key = AppKey(rawValue: text) else {
                throw ValidationError("The app key needs \(AppKey.minimumLength) or more visible ASCII characters.")
            }
            configuration.appKey = key
        }
        if let faults {
            configuration.faults = try Faults(faults)
            // The short lifetime makes the effects visible soon.
            configuration.accessTokenLifetime = .seconds(5)
        }
        return configuration
    }
}

extension AsyncParsableCommand {
    /// Runs services until one of them fails or the user presses Control-C.
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

/// Prints a line at once; `print` alone would buffer it if the output is a pipe.
func announce(_ line: String) {
    print(line)
    fflush(nil)
}

/// Prints the log-in of the demo user.
func announceDemoUser() {
    announce("Log in as \(DemoUsers.ada.email) with the password '\(DemoUsers.ada.password)'.")
}
