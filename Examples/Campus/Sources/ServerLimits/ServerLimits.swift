public import Hummingbird
import HummingbirdCore
public import Logging
public import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The limits of a server's connections: time-outs and a maximum number.
///
/// A client that sends nothing, sends slowly or does not read its responses loses its connection. A
/// connection above the maximum gets status 503 with `Retry-After` and is closed. When the process
/// has no file descriptor left, the server pauses before it accepts the next connection. It logs
/// the last two cases.
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

    /// Creates the default limits.
    public init() {}

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
        let descriptors = sysconf(CInt(_SC_OPEN_MAX))
        return descriptors > 0 ? min(4096, max(16, descriptors / 4)) : 4096
    }
}
