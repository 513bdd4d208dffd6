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
    let key: Sessions<Scope>.Key?
    let window: WindowID
    /// The version that the page has.
    let version: Int
    /// The client's address; `nil` if it is not known.
    let client: String?

    @concurrent
    func write(to writer: inout any ResponseBodyWriter) async throws {
        try await writer.write(ServerSentEvent.opening)
        guard let key, let window = await sessions.attach(to: window, in: key) else {
            try await writer.write(ServerSentEvent.reload.buffer)
            return try await writer.finish(nil)
        }
        let connection = await window.connect()
        if connection.isReplacing {
            sessions.security.note(.streamLimit, .replaced, from: client, session: key)
        }
        let result: Result<Void, any Error>
        do {
            try await follow(window, connection, writer: &writer)
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
        _ connection: PageConnections.Connection,
        writer: inout any ResponseBodyWriter
    ) async throws {
        var version = version
        for await signal in connection.signals.cancelOnGracefulShutdown() {
            switch signal {
            case .changed:
                let changes = try await window.changes(since: version)
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
}
