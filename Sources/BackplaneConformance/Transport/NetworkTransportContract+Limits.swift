import BackplaneNetworking
import BackplaneTesting
import Foundation

extension NetworkTransportContract {
    static let limits: [Clause] = [
        Clause("a body as large as the limit is returned, and one byte more is too large") { trial in
            let transport = try await trial.makeTransport()
            let server = try trial.server { _ in .init(body: Data(pattern: 1000)) }
            let count = try await transport.ask(server, responseLimit: 1000).body.count
            try require(count == 1000, "The body has 1000 bytes, but the transport returned \(count).")
            try await transport.requireTooLarge(server, limit: 999)
            let empty = try trial.server { _ in .status(200) }
            _ = try await transport.ask(empty, responseLimit: 0)
        },
        Clause("an endless body fails at the limit, and the connection is closed") { trial in
            let transport = try await trial.makeTransport()
            let sent = Watched<Int?>(nil)
            let server = try trial.server { _, connection in
                await connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                let chunk = Data("10000\r\n".utf8) + Data(count: 0x10000) + Data("\r\n".utf8)
                let count = await connection.flood(with: chunk, upTo: enough)
                await connection.send("0\r\n\r\n")
                sent.update { $0 = count }
            }
            try await transport.requireTooLarge(server, limit: 1_000_000)
            await sent.wait { $0 != nil }
            try require(
                (sent.value ?? enough) < enough,
                "The transport read \(enough) bytes, although the limit was a megabyte."
            )
        },
    ]

    /// Far more than the limit and all system buffers between client and server.
    static let enough = 64 * 1024 * 1024
}

extension NetworkTransport {
    fileprivate func requireTooLarge(_ server: ScriptedServer, limit: Int) async throws {
        do {
            let count = try await ask(server, responseLimit: limit).body.count
            throw ContractViolation(description: "The limit was \(limit) bytes, but the transport returned \(count).")
        } catch let error as NetworkError {
            try require(
                error.code == .responseTooLarge,
                "The body was too large, but the transport threw a NetworkError with the code \(error.code), not responseTooLarge."
            )
        }
    }
}
