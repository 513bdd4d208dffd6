import Hummingbird
public import Logging
import NIOCore
public import ServiceLifecycle

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The API of Campus: JSON over HTTP, on a database in a file.
///
/// It runs until its task is cancelled or its service group shuts down gracefully; then it accepts nothing more, finishes
/// the requests it is answering, and returns. It is a value: running it again starts a second server.
///
/// ```swift
/// var configuration = CampusAPIServer.Configuration(databasePath: "campus.sqlite")
/// configuration.port = 0
/// let server = CampusAPIServer(configuration: configuration, logger: Logger(label: "api")) { address in
///     print("API is running at \(address.url)")
/// }
/// try await server.run()
/// ```
public struct CampusAPIServer: Service {
    /// Where a running server can be reached.
    public struct Address: Hashable, Sendable {
        /// The host the server was told to listen on.
        public let host: String
        /// The port it listens on; never 0.
        public let port: Int

        /// The root of every URL of the server.
        public var url: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
    }

    private let configuration: Configuration
    private let logger: Logger
    private let onReady: @Sendable (Address) async -> Void

    /// A server that is not running yet.
    ///
    /// - Parameters:
    ///   - configuration: where to listen and what with.
    ///   - logger: receives a line for each request: method, path and status, never headers or bodies.
    ///   - onReady: called once in each run, as soon as requests are accepted.
    public init(
        configuration: Configuration,
        logger: Logger,
        onReady: @escaping @Sendable (Address) async -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.logger = logger
        self.onReady = onReady
    }

    /// Opens the database, seeds it when it is new, and serves until the task is cancelled or its service group shuts down.
    ///
    /// - Throws: ``CampusAPIError`` when the server cannot start.
    public func run() async throws {
        let database = try CampusDatabase(path: configuration.databasePath, passwordCost: configuration.passwordCost)
        let router = try Self.router(database: database, configuration: configuration)
        let host = configuration.host
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname(host, port: configuration.port)),
            onServerRunning: { [onReady] channel in
                guard let port = channel.localAddress?.port else { return }
                await onReady(Address(host: host, port: port))
            },
            logger: logger
        )
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
