package import BackplaneTesting
import Foundation

/// An HTTP/1.1 server on a real loopback socket, which runs a script and records its requests.
///
/// The script is asynchronous, so a test can wait in it to delay a response. Connections are kept
/// alive.
package final class ScriptedServer: Sendable {
    package struct Journal: Sendable {
        package var requests: [Request] = []
        /// The number of connections that ended, closed by either side.
        package var hangUps = 0
    }

    package typealias Script = @Sendable (Request) async -> Reply
    /// A closure that responds to a request with the bytes it sends, and nothing else.
    package typealias Exchange = @Sendable (Request, Connection) async -> Void

    package let journal = Watched(Journal())
    package let port: UInt16
    private let listener: Socket
    private let connections = Watched<[Connection]>([])

    package convenience init(_ script: @escaping Script) throws {
        try self.init { request, connection in await connection.send(await script(request).bytes) }
    }

    package init(onIPv6 isIPv6: Bool = false, exchange: @escaping Exchange) throws {
        listener = try Socket.listening(onIPv6: isIPv6)
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

    /// Accepts no more connections and closes the existing ones.
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
            // The client sends its next request only after this response. So the thread can keep
            // reading, and thereby notices when the client hangs up.
            Task { await exchange(request, connection) }
        }
    }
}
