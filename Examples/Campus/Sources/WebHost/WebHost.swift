import Foundation
import Hummingbird
public import Logging
import NIOCore
public import ServiceLifecycle

/// Serves an app's boards to browsers: every person a session, every tab a window with a motherboard of its own.
///
/// Every URL is a deep link, opened on the new window's motherboard. Pages are rendered here and brought up to date section
/// by section over Server-Sent Events; without script the same forms and links load pages. See ``WebApp``.
///
/// A service for a `ServiceGroup`: on graceful shutdown it lets answers finish, closes the pages' streams, and ends every
/// window, so that every motherboard completes. Cancelling the task that runs it does the same at once.
///
/// With a ``SessionStore`` sessions outlast the process, however it ends: the cookie is good for the next one over the same store,
/// and a window that is asked for there comes back with the boards that were live. What a page shows is stored before the page
/// has it. A page that was open connects again by itself and goes on. Windows that nobody comes back to are dropped after their
/// grace, sessions after their idle time; without script, windows stay as long as their session.
///
/// ```swift
/// let host = try WebHost(app: app) { port in print("http://127.0.0.1:\(port)") }
/// try await ServiceGroup(services: [host], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger).run()
/// ```
public struct WebHost<Scope: Sendable>: Service {
    private let app: WebApp<Scope>
    private let configuration: WebHostConfiguration
    private let store: (any SessionStore)?
    private let renderer: Renderer
    private let logger: Logger
    private let onReady: @Sendable (Int) async -> Void

    /// A host for `app`; nothing is listened to yet.
    ///
    /// - Parameters:
    ///   - app: what to serve.
    ///   - configuration: where to listen, and how long to keep what nobody uses.
    ///   - store: where sessions are kept; without one they end with the host.
    ///   - logger: where to log; no cookie, form or page content is logged.
    ///   - onReady: called once with the port when connections are accepted.
    /// - Throws: ``WebHostError`` with ``WebHostError/Code/invalidTemplate``.
    public init(
        app: WebApp<Scope>,
        configuration: WebHostConfiguration = WebHostConfiguration(),
        store: (any SessionStore)? = nil,
        logger: Logger = Logger(label: "web-host"),
        onReady: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws {
        renderer = try Renderer(name: app.name, templates: app.templates, layout: app.layout, logger: logger)
        self.app = app
        self.configuration = configuration
        self.store = store
        self.logger = logger
        self.onReady = onReady
    }

    /// Serves until graceful shutdown or cancellation.
    ///
    /// - Throws: ``WebHostError`` with ``WebHostError/Code/portInUse`` or ``WebHostError/Code/storeUnreadable``, or what the
    ///   system says of the address.
    public func run() async throws {
        let sessions = Sessions(
            app: app,
            renderer: renderer,
            configuration: configuration,
            store: store,
            logger: logger
        )
        try await sessions.load()
        let site = Site(
            sessions: sessions,
            renderer: renderer,
            styleSheet: app.styleSheet,
            configuration: configuration
        )
        let application = Application(
            responder: CallbackResponder<BasicRequestContext> { request, _ in await site.respond(to: request) },
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                serverName: nil
            ),
            onServerRunning: { [configuration, onReady] channel in
                await onReady(channel.localAddress?.port ?? configuration.port)
            },
            logger: logger
        )
        let result: Result<Void, any Error>
        do {
            try await application.run()
            result = .success(())
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            result = .failure(WebHostError.portInUse(configuration.port, host: configuration.host, cause: error))
        } catch {
            result = .failure(error)
        }
        await sessions.close()
        try result.get()
    }
}
