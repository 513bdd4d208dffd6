public import CoreMetrics
import Foundation
import Hummingbird
public import Logging
import NIOCore
import ServerLimits
public import ServiceLifecycle

/// A server that shows an app's boards in browsers.
///
/// Each browser has a session, and each tab is a window with its own motherboard. Every URL is a
/// deep link, which the new window's motherboard opens. The host renders pages, and updates them
/// section by section over Server-Sent Events. Without the script, the same forms and links load
/// pages. See ``WebApp``.
///
/// **Shutdown.** The host is a service for a `ServiceGroup`. On graceful shutdown it finishes
/// running responses and closes the pages' streams. It then ends every window, so that every
/// motherboard completes. Cancelling the task that runs the host does the same at once.
///
/// **Restarts.** With a ``SessionStore``, sessions outlast the process, however it ends. The cookie
/// is valid for the next process with the same store. When a page asks for its window there, the
/// window comes back with the boards that were live. Everything that a page shows is stored before
/// the page receives it. An open page reconnects automatically and continues.
///
/// A window without a page ends after its grace period, and a session ends after its idle time.
/// Without the script, windows stay as long as their session.
///
/// ```swift
/// let host = try WebHost(app: app) { port in print("http://127.0.0.1:\(port)") }
/// let signals: [UnixSignal] = [.sigterm, .sigint]
/// try await ServiceGroup(services: [host], gracefulShutdownSignals: signals, logger: logger).run()
/// ```
public struct WebHost<Scope: Sendable>: Service {
    private let app: WebApp<Scope>
    private let configuration: WebHostConfiguration
    private let store: (any SessionStore)?
    private let renderer: Renderer
    private let logger: Logger
    private let security: SecurityLog
    private let metrics: HostMetrics
    private let onReady: @Sendable (Int) async -> Void

    /// Creates a host for `app`, which does not listen yet.
    ///
    /// - Parameters:
    ///   - app: the app to serve.
    ///   - configuration: the address to listen on, its proxies, and how long unused sessions and
    ///     windows are kept.
    ///   - store: the store of sessions; without a store, sessions end with the host.
    ///   - logger: the logger; cookies, forms and page contents are never logged.
    ///   - securityLogger: the logger of refused requests and reached limits, with the client's
    ///     address.
    ///   - metrics: the factory of the host's metrics; by default that of the process.
    ///   - onReady: called once with the port when the host accepts connections.
    /// - Throws: ``WebHostError`` with ``WebHostError/Code/invalidTemplate`` or
    ///   ``WebHostError/Code/invalidConfiguration``.
    public init(
        app: WebApp<Scope>,
        configuration: WebHostConfiguration = WebHostConfiguration(),
        store: (any SessionStore)? = nil,
        logger: Logger = Logger(label: "web-host"),
        securityLogger: Logger = Logger(label: "web-host.security"),
        metrics: any MetricsFactory = MetricsSystem.factory,
        onReady: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws {
        var configuration = configuration
        try configuration.validate()
        let faces = WebFaces(app.faces)
        renderer = try Renderer(
            name: app.name,
            faces: faces,
            templates: app.templates.merging(faces.templates) { $1 },
            layout: app.layout,
            logger: logger
        )
        self.app = app
        self.configuration = configuration
        self.store = store
        self.logger = logger
        security = SecurityLog(logger: securityLogger)
        self.metrics = HostMetrics(metrics)
        self.onReady = onReady
    }

    /// Serves until graceful shutdown or cancellation.
    ///
    /// - Throws: ``WebHostError`` with ``WebHostError/Code/portInUse`` or
    ///   ``WebHostError/Code/storeUnreadable``, or the system's error about the address.
    public func run() async throws {
        let sessions = Sessions(
            app: app,
            renderer: renderer,
            configuration: configuration,
            store: store,
            logger: logger,
            security: security,
            metrics: metrics
        )
        try await sessions.load()
        let site = Site(
            sessions: sessions,
            renderer: renderer,
            styleSheet: app.styleSheet,
            configuration: configuration
        )
        let result: Result<Void, any Error>
        do {
            try await server(of: site).run()
            result = .success(())
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            result = .failure(WebHostError.portInUse(configuration.port, host: configuration.host, cause: error))
        } catch {
            result = .failure(error)
        }
        await sessions.close()
        try result.get()
    }

    private func server(of site: Site<Scope>) -> some Service {
        configuration.connections.application(
            responder: CallbackResponder<HostContext> { try await site.respond(to: $0, in: $1) },
            host: configuration.host,
            port: configuration.port,
            logger: logger
        ) { [configuration, onReady] channel in
            await onReady(channel.localAddress?.port ?? configuration.port)
        }
    }
}
