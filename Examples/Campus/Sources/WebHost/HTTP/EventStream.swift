import CoreMetrics
import Hummingbird
import ServiceLifecycle

/// One page's connection to its window, as Server-Sent Events (HTML Living Standard, 9.2).
///
/// The stream has no queue. When it is woken, it asks the window for the changes since the version
/// that it sent last. A slow client therefore gets the current state once and no backlog. The
/// stream ends when the client disconnects, the window ends, or the server shuts down.
struct EventStream<Scope: Sendable>: Sendable {
    let sessions: Sessions<Scope>
    /// The session of the request's cookie; `nil` if there is none.
    let visit: Visit?
    let window: WindowID
    /// The version that the page has.
    let version: Int
    /// The client's address; `nil` if it is not known.
    let client: String?
    /// The signals that wake the stream.
    private let signals = PageConnections.Signals()

    init(sessions: Sessions<Scope>, visit: Visit?, window: WindowID, version: Int, client: String?) {
        self.sessions = sessions
        self.visit = visit
        self.window = window
        self.version = version
        self.client = client
    }

    /// Ends the stream, because its client is gone or the server shuts down.
    func end() { signals.end() }

    /// Writes until the stream ends; without room for it, writes nothing, and the page tries again.
    @concurrent
    func write(to writer: inout any ResponseBodyWriter) async throws {
        guard await sessions.openStream(from: client) else { return try await writer.finish(nil) }
        let result: Result<Void, any Error>
        do {
            try await serve(&writer)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await sessions.closeStream(from: client)
        try result.get()
    }

    @concurrent
    private func serve(_ writer: inout any ResponseBodyWriter) async throws {
        try await writer.write(ServerSentEvent.opening)
        guard let visit, let window = await attachedWindow(in: visit.session) else {
            try await writer.write(ServerSentEvent.reload.buffer)
            return try await writer.finish(nil)
        }
        let key = visit.session
        let connection = await window.connect(signals)
        if connection.isReplacing {
            sessions.security.note(.streamLimit, .replaced, from: client, session: key)
        }
        let result: Result<Void, any Error>
        do {
            try await withGracefulShutdownHandler {
                try await follow(window, as: connection, of: visit, writer: &writer)
            } onGracefulShutdown: {
                end()
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        // This runs however the stream ended, also in a cancelled task.
        await window.disconnect(connection)
        await sessions.detach(from: window.id, in: key)
        try result.get()
        try await writer.finish(nil)
    }

    @concurrent
    private func follow(
        _ window: Window,
        as connection: PageConnections.Connection,
        of visit: Visit,
        writer: inout any ResponseBodyWriter
    ) async throws {
        var visit = visit
        // The session may have been renewed for another page between the cookie and the connection.
        guard await sessions.update(&visit, for: window.id) else {
            return try await writer.write(ServerSentEvent.reload.buffer)
        }
        var version = version
        for await signal in signals.stream {
            switch signal {
            case .changed:
                let changes = try await changes(of: window, since: version, for: connection)
                sessions.metrics.patches.increment(by: changes.events.count)
                for event in changes.events { try await writer.write(event.buffer) }
                version = changes.version
            case .reconnect:
                return try await writer.write(ServerSentEvent.reconnect.buffer)
            case .reload:
                return try await writer.write(ServerSentEvent.reload.buffer)
            }
        }
    }

    // A task keeps the memory of its deepest call until it ends, and a stream lasts as long as its
    // page. So it makes its deep calls in child tasks.

    private func attachedWindow(in key: Sessions<Scope>.Key) async -> Window? {
        async let window = sessions.attach(to: window, in: key)
        return await window
    }

    private func changes(
        of window: Window,
        since version: Int,
        for connection: PageConnections.Connection
    ) async throws -> Window.Changes {
        async let changes = window.changes(since: version, for: connection)
        return try await changes
    }
}
