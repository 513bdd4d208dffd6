import Hummingbird
public import Logging
import NIOCore
import ServerLimits
public import ServiceLifecycle

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The Campus API: JSON over HTTP, with a database in a file.
///
/// It runs until its task is cancelled or its service group shuts down gracefully. Then it accepts
/// no more requests, finishes the current ones, and returns. It is a value: running it again starts
/// a second server.
///
/// ```swift
/// var configuration = CampusAPIServer.Configuration(databasePath: "campus.sqlite")
/// configuration.port = 0
/// let logger = Logger(label: "api")
/// let server = CampusAPIServer(configuration: configuration, logger: logger) { address in
///     print("API is running at \(address.url)")
/// }
/// try await server.run()
/// ```
public struct CampusAPIServer: Service {
    /// The address of a running server.
    public struct Address: Sendable {
        /// The host that the server was told to listen on.
        public let host: String
        /// The port that it listens on; never 0.
        public let port: Int
        /// A way to the server for this process, without a connection.
        public let local: LocalAPI

        /// The root of all URLs of the server.
        public var url: String { Self.url(host: host, port: port) }

        static func url(host: String, port: Int) -> String {
            "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        }
    }

    private let configuration: Configuration
    private let logger: Logger
    private let securityLogger: Logger
    private let onReady: @Sendable (Address) async -> Void

    /// Creates a server that is not running yet.
    ///
    /// - Parameters:
    ///   - configuration: the address, the database and other settings.
    ///   - logger: receives one line for each request, with method, path and status, but never
    ///     headers or bodies.
    ///   - securityLogger: receives one line for each event that matters for security: sign-ins,
    ///     ended sessions and refused requests.
    ///   - onReady: called once in each run, as soon as the server accepts requests.
    public init(
        configuration: Configuration,
        logger: Logger,
        securityLogger: Logger = Logger(label: "campus.security"),
        onReady: @escaping @Sendable (Address) async -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.logger = logger
        self.securityLogger = securityLogger
        self.onReady = onReady
    }

    /// Opens the database, seeds it if it is new, and serves until cancellation or graceful
    /// shutdown.
    ///
    /// - Throws: ``CampusAPIError`` if the server cannot start.
    public func run() async throws {
        let database = try CampusDatabase(path: configuration.databasePath, passwordCost: configuration.passwordCost)
        defer { database.close() }
        let log = SecurityLog(logger: securityLogger)
        let router = try Self.router(database: database, configuration: configuration, log: log)
        let responder = router.buildResponder()
        let local = LocalAPI(responder: responder, logger: logger)
        let (host, onReady) = (configuration.host, onReady)
        let application = configuration.limits.application(
            responder: responder,
            host: host,
            port: configuration.port,
            logger: logger
        ) { channel in
            guard let port = channel.localAddress?.port else { return }
            await onReady(Address(host: host, port: port, local: local))
        }
        do {
            try await application.run()
        } catch let error as IOError {
            throw startError(error)
        } catch let error as SocketAddressError {
            throw startError(error)
        }
    }

    private func startError(_ error: any Error) -> CampusAPIError {
        let (host, port) = (configuration.host, configuration.port)
        if let error = error as? IOError, error.errnoCode == EADDRINUSE {
            return CampusAPIError(
                .portTaken,
                """
                Port \(port) on \(host) is taken by another process. \
                Choose another one with --port, or any free one with --port 0.
                """,
                cause: error
            )
        }
        return CampusAPIError(
            .cannotListen,
            "The API cannot listen on port \(port) of \(host): \(error). Choose another host or --port.",
            cause: error
        )
    }
}
