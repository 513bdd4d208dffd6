package import Foundation

extension ScriptedServer {
    /// A client's connection; what is sent goes out as it is.
    package struct Connection: Sendable, Equatable {
        private let socket: Socket
        // Writing blocks while the client does not read, which no thread of Swift's own should do.
        private let queue = DispatchQueue(label: "ScriptedServer.Connection")

        init(_ socket: Socket) {
            self.socket = socket
        }

        package static func == (lhs: Connection, rhs: Connection) -> Bool {
            lhs.socket === rhs.socket
        }

        /// Sends bytes, after those sent before.
        ///
        /// - Returns: whether the system took them; otherwise the connection is closed.
        @discardableResult
        package func send(_ data: Data) async -> Bool {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: socket.write(data)) }
            }
        }

        /// Sends text, after what was sent before.
        @discardableResult
        package func send(_ text: String) async -> Bool {
            await send(Data(text.utf8))
        }

        /// Sends the same again and again, until the connection is closed or `limit` bytes have gone out.
        ///
        /// - Returns: how many have.
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
