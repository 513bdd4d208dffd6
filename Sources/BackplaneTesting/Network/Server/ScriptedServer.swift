import Foundation

/// An HTTP/1.1 server on a real loopback socket that answers as it is told to, and records what it was asked.
///
/// The script is asynchronous, so a test holds an answer back by waiting in it. Connections are kept alive.
package final class ScriptedServer: Sendable {
    package struct Journal: Sendable {
        package var requests: [Request] = []
        /// Connections that have ended, whoever closed them.
        package var hangUps = 0
    }

    package typealias Script = @Sendable (Request) async -> Reply
    /// Answers a request by whatever bytes it sends; what it does not send is not sent.
    package typealias Exchange = @Sendable (Request, Connection) async -> Void

    package let journal = Watched(Journal())
    package let port: UInt16
    private let listener: Socket
    private let connections = Watched<[Connection]>([])

    package convenience init(_ script: @escaping Script) throws {
        try self.init { request, connection in await connection.send(await script(request).bytes) }
    }

    package init(exchange: @escaping Exchange) throws {
        listener = try Socket.listening()
        port = try listener.port
        Thread.detachNewThread { [listener, journal, connections] in
            while let socket = listener.nextConnection() {
                let connection = Connection(socket)
                connections.update { $0.append(connection) }
                Thread.detachNewThread {
                    Self.serve(socket, connection, exchange, journal)
                    connections.update { connections in connections.removeAll { $0 == connection } }
                    journal.update { $0.hangUps += 1 }
                }
            }
        }
    }

    deinit { shutDown() }

    /// Takes no more connections and closes those there are.
    package func shutDown() {
        listener.shutDown()
        for connection in connections.value { connection.hangUp() }
    }

    package var authority: String { "127.0.0.1:\(port)" }

    package var url: String { "http://\(authority)" }

    package var requests: [Request] { journal.value.requests }

    /// Suspends until `count` requests have arrived.
    package func requests(atLeast count: Int) async {
        await journal.wait { $0.requests.count >= count }
    }

    /// Suspends until `count` connections have ended.
    package func hangUps(atLeast count: Int) async {
        await journal.wait { $0.hangUps >= count }
    }

    private static func serve(
        _ socket: Socket,
        _ connection: Connection,
        _ exchange: @escaping Exchange,
        _ journal: Watched<Journal>
    ) {
        var reader = RequestReader(socket)
        while let request = reader.next() {
            journal.update { $0.requests.append(request) }
            // The client sends its next request when it has this answer, so the thread may as well read on: that is
            // how it notices a client that hangs up.
            Task { await exchange(request, connection) }
        }
    }
}
