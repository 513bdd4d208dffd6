package import Foundation

extension ScriptedServer {
    /// A client's connection, which sends bytes unchanged.
    package struct Connection: Sendable, Equatable {
        private let socket: Socket
        // Writing blocks while the client does not read, and must not block a thread of the Swift
        // runtime.
        private let queue = DispatchQueue(label: "ScriptedServer.Connection")

        init(_ socket: Socket) {
            self.socket = socket
        }

        package static func == (lhs: Connection, rhs: Connection) -> Bool {
            lhs.socket === rhs.socket
        }

        /// Sends bytes, after all bytes sent before.
        ///
        /// - Returns: whether the system accepted the bytes; if not, the connection is closed.
        @discardableResult
        package func send(_ data: Data) async -> Bool {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: socket.write(data)) }
            }
        }

        /// Sends text, after all bytes sent before.
        @discardableResult
        package func send(_ text: String) async -> Bool {
            await send(Data(text.utf8))
        }

        /// Sends the same bytes repeatedly, until the connection is closed or `limit` bytes are
        /// sent.
        ///
        /// - Returns: the number of bytes sent.
        package func flood(with data: Data, upTo limit: Int) async -> Int {
            var count = 0
            while count < limit, await send(data) { count += data.count }
            return count
        }

        /// Closes the connection.
        package func hangUp() {
            socket.shutDown()
        }
    }
}
