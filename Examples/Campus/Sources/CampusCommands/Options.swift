import ArgumentParser
import BackplaneNetworking
import CampusAPI
import CampusApp
import CampusModels
import CampusSessions
import Foundation
import Logging
import ServerLimits
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
            The file that stores the users' changes until the API has confirmed them; it is created if it does not \
            exist. By default campus-outbox.sqlite, beside the file of the sessions.
            """
    )
    var outbox: String?

    @Option(
        help: """
            A directory for the event logs of the windows, with one line of JSON for each event. The logs contain \
            texts that users write.
            """
    )
    var eventLogs: String?

    @Option(
        help: """
            The URL under which users reach the app through a proxy, such as https://campus.example. With https, the \
            cookie is sent over TLS only, and browsers are told to use TLS.
            """
    )
    var publicURL: String?

    @Option(
        name: .customLong("trusted-proxy"),
        help: """
            The IP address of a proxy in front of the app, which reports the address of the client in X-Forwarded-For. \
            Repeat the option for each proxy.
            """
    )
    var trustedProxies: [String] = []

    @Option(help: "The maximum number of sessions; further visitors get an error page.")
    var sessionLimit = WebHostConfiguration().sessionLimit

    @Option(help: "The maximum number of sessions without a sign-in from one client address.")
    var visitorLimit = WebHostConfiguration().visitorLimit

    @Option(help: "The same from the network around an address: 24 bits of IPv4, or 48 bits of IPv6.")
    var visitorNetworkLimit = WebHostConfiguration().visitorNetworkLimit

    @Option(
        help: """
            The maximum number of connections from one client address, and of open pages behind a proxy. Raise it for \
            users who share an address, such as a school.
            """
    )
    var clientConnections = ServerLimits().maximumOfClient

    @Option(help: "The same for the network around an address: 24 bits of IPv4, or 48 bits of IPv6.")
    var networkConnections = ServerLimits().maximumOfNetwork

    func validate() throws {
        var configuration = try configuration()
        try configuration.validate()
    }

    private func configuration() throws -> WebHostConfiguration {
        var configuration = WebHostConfiguration()
        configuration.host = host
        configuration.port = port
        configuration.publicURL = try publicURL.map { text in
            guard let url = URL(string: text) else { throw ValidationError("'\(text)' is not a URL.") }
            return url
        }
        configuration.trustedProxies = Set(trustedProxies)
        configuration.sessionLimit = sessionLimit
        configuration.visitorLimit = visitorLimit
        configuration.visitorNetworkLimit = visitorNetworkLimit
        configuration.connections.maximumOfClient = clientConnections
        configuration.connections.maximumOfNetwork = max(clientConnections, networkConnections)
        return configuration
    }

    /// Opens the file of the sessions; without `--sessions`, it is in `directory`.
    func openSessions(in directory: String = "") throws -> SQLiteSessionStore {
        try SQLiteSessionStore(file: URL(filePath: sessions ?? "\(directory)campus-sessions.sqlite"))
    }

    /// Creates the app with the API at `api`, which shares `key` with the app.
    func host(
        api: String,
        over transport: any NetworkTransport,
        key: AppKey?,
        sessions: SQLiteSessionStore,
        logger: Logger
    ) throws -> any Service {
        let app = try CampusApp.webApp(
            api: url(ofAPI: api),
            over: transport,
            key: key,
            tokens: sessions.file,
            drafts: sessions.file,
            outbox: outbox.map { URL(filePath: $0) }
                ?? sessions.file.absoluteURL.deletingLastPathComponent().appending(path: "campus-outbox.sqlite"),
            eventLogs: eventLogs.map { try EventLogDirectory(url: URL(filePath: $0)) }
        ) { line in logger.info("\(line)") }
        var securityLogger = Logger(label: "campus.security")
        securityLogger.logLevel = logger.logLevel
        return try WebHost(
            app: app,
            configuration: configuration(),
            store: sessions,
            logger: logger,
            securityLogger: securityLogger
        ) { port in
            announce("Campus is running at http://\(host):\(port)")
            if let publicURL { announce("Users reach it at \(publicURL).") }
            announceDemoUser()
        }
    }
}

/// The key that the app and the API share.
struct AppKeyOption: ParsableArguments {
    @Option(
        help: """
            The key with which the app names the addresses of its clients to the API: 32 or more visible ASCII \
            characters. The environment variable CAMPUS_APP_KEY sets it, too, and other users of the machine do not \
            see it there.
            """
    )
    var appKey: String?

    func validate() throws { _ = try key() }

    /// The key; `nil` if there is none.
    func key() throws -> AppKey? {
        guard let text = appKey ?? ProcessInfo.processInfo.environment["CAMPUS_APP_KEY"] else { return nil }
        guard let key = AppKey(rawValue: text) else {
            throw ValidationError("The app key needs \(AppKey.minimumLength) or more visible ASCII characters.")
        }
        return key
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

    /// The directory of the database with a slash at its end; empty for the current directory.
    var directory: String {
        database.lastIndex(of: "/").map { String(database[...$0]) } ?? ""
    }

    func configuration(host: String, port: Int, appKey: AppKey? = nil) throws -> CampusAPIServer.Configuration {
        var configuration = CampusAPIServer.Configuration(databasePath: database)
        configuration.host = host
        configuration.port = port
        configuration.appKey = appKey
        if let faults {
            configuration.faults = try Faults(faults)
            // The short lifetime makes the effects visible soon.
            configuration.accessTokenLifetime = .seconds(5)
        }
        return configuration
    }
}

extension AsyncParsableCommand {
    /// Runs services until one of them fails or the user presses Control-C, and reports the memory
    /// on `SIGUSR2`.
    func run(_ services: [any Service]) async throws {
        var logger = Logger(label: "campus.services")
        logger.logLevel = .warning
        var configuration = ServiceGroupConfiguration(
            services: [MemoryReport()] + services,
            gracefulShutdownSignals: [.sigint, .sigterm],
            logger: logger
        )
        // A client that never ends its request must not keep the process running.
        configuration.maximumGracefulShutdownDuration = .seconds(20)
        try await ServiceGroup(configuration: configuration).run()
    }
}

/// Prints a line at once; `print` alone would buffer it if the output is a pipe.
func announce(_ line: String) {
    print(line)
    fflush(nil)
}

/// Prints the sign-in of the demo user.
func announceDemoUser() {
    announce("Sign in as \(DemoUsers.ada.email) with the password '\(DemoUsers.ada.password)'.")
}
