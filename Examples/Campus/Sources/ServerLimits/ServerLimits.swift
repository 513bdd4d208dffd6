public import Hummingbird
import HummingbirdCore
public import Logging
public import NIOCore

/// The limits of a server's connections: time-outs and a maximum number.
///
/// A client that sends nothing, sends slowly or does not read its responses loses its connection. A
/// connection above the maximum gets status 503 with `Retry-After` and is closed. A client with too
/// many of them gets status 429, so that it cannot take all. When the process
/// has no file descriptor left, the server pauses before it accepts the next connection. It logs
/// the last three cases.
///
/// ```swift
/// var limits = ServerLimits()
/// limits.maximumConnections = 500
/// let application = limits.application(
///     responder: router.buildResponder(),
///     host: "127.0.0.1",
///     port: 8080,
///     logger: logger
/// )
/// try await application.run()
/// ```
public struct ServerLimits: Sendable {
    /// The time from the start of a connection to the end of the head of its first request.
    public var headerTimeout: Duration = .seconds(10)
    /// The time from the end of a request's head to the end of its body.
    public var bodyTimeout: Duration = .seconds(30)
    /// The time that a connection may be idle.
    ///
    /// A connection is idle from a response to the end of the next request's head, and while the
    /// client does not read a response. The default is longer than the time for which usual clients
    /// keep a connection, so that a client does not use a connection that is being closed.
    public var idleTimeout: Duration = .seconds(75)
    /// The number of connections that are served at a time.
    ///
    /// The default is a quarter of the file descriptors that the process may have, and at most
    /// 4096. The rest is for other servers in the process, its own requests and its files.
    public var maximumConnections = Self.standardMaximum
    /// The number of connections of one client: an IPv4 address, or the first 64 bits of an IPv6
    /// address.
    ///
    /// The default is an eighth of the default of ``maximumConnections``. Further connections get
    /// status 429.
    public var maximumOfClient = Self.standardMaximum / 8
    /// The number of connections of the network around a client: 24 bits of an IPv4 address, or 48
    /// bits of an IPv6 address.
    ///
    /// The default is a quarter of the default of ``maximumConnections``.
    public var maximumOfNetwork = Self.standardMaximum / 4
    /// The addresses whose connections have only the limit of all together, such as those of
    /// proxies.
    public var proxies: Set<String> = []

    /// Creates the default limits.
    public init() {}

    /// Removes the limits of one client and of its network, for a server whose only client is
    /// another server.
    public mutating func allowAnyClient() { (maximumOfClient, maximumOfNetwork) = (.max, .max) }

    /// Returns an application with these limits.
    ///
    /// - Parameters:
    ///   - responder: responds to the requests.
    ///   - host: the host to listen on.
    ///   - port: the port to listen on; 0 for any free port.
    ///   - logger: receives the log of the server.
    ///   - onServerRunning: called with the channel of the server as soon as it accepts requests.
    /// - Returns: the application, which is not running yet.
    public func application<Responder: HTTPResponder>(
        responder: Responder,
        host: String,
        port: Int,
        logger: Logger,
        onServerRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
    ) -> Application<Responder> where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        // Connections that are being refused are open for a moment, too. Above this number, clients
        // wait in the backlog of the system.
        let acceptable = maximumConnections + max(16, maximumConnections / 4)
        logger.info(
            "The server allows \(maximumConnections) connections",
            metadata: [
                "ofClient": "\(maximumOfClient)", "ofNetwork": "\(maximumOfNetwork)",
                "openFiles": "\(OpenFiles.current)",
            ]
        )
        return Application(
            responder: responder,
            server: HTTPServerBuilder { respond in LimitedChannel(limits: self, responder: respond, logger: logger) },
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                availableConnectionsDelegate: MaximumAvailableConnections(acceptable, logger: logger)
            ),
            onServerRunning: { channel in
                await AcceptPauseHandler.add(to: channel, logger: logger)
                await onServerRunning(channel)
            },
            logger: logger
        )
    }

    private static var standardMaximum: Int {
        min(4096, max(16, OpenFiles.current / 4))
    }
}
