import BackplaneNetworking
import Foundation

extension NetworkTransportContract {
    static let connections: [Clause] = [
        Clause("a server that does not listen is an error") { trial in
            let transport = try await trial.makeTransport()
            let server = try trial.server { _ in .status(200) }
            server.shutDown()
            try await transport.requireError(from: server, because: "No server listens on the port")
        },
        Clause("a connection that the server has closed between two requests is replaced") { trial in
            let transport = try await trial.makeTransport()
            let server = try trial.server { _, connection in
                await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                connection.hangUp()
            }
            for count in 1...3 {
                let body = try await transport.ask(server).body
                try require(body == Data("ok".utf8), "Request \(count) got a different response.")
                await server.hangUps(atLeast: count)
            }
        },
        Clause("connections are closed when the transport is released") { trial in
            let server = try trial.server { _ in .status(200) }
            var transport: (any NetworkTransport)? = try await trial.makeTransport()
            _ = try await transport?.ask(server)
            transport = nil
            await server.hangUps(atLeast: 1)
        },
    ]
}
