import BackplaneNetworking
import Foundation
import HTTPTypes

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
        Clause("a request that changes something is sent once, even if a kept connection closes instead of a response")
        { trial in
            let transport = try await trial.makeTransport()
            let server = try trial.server { request, connection in
                if request.target == "/change" { return connection.hangUp() }
                await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
            for method in [HTTPRequest.Method.post, .put, .patch, .delete] {
                // The server may have carried out the request, and only a kept connection is such
                // that clients send it again.
                for setUp in [HTTPRequest.Method.get, .post] { _ = try await transport.ask(server, setUp, "/") }
                do {
                    let body = method == .delete ? nil : Data("1".utf8)
                    _ = try await transport.ask(server, method, "/change", body: body)
                } catch let error as URLError where NetworkError.failuresToConnect.contains(error.code) {
                    throw ContractViolation(
                        description:
                            "\(method) arrived, but the transport threw \(error.code), which says that it was not sent."
                    )
                } catch {}
                let count = server.requests.filter { $0.target == "/change" && $0.method == method.rawValue }.count
                try require(count == 1, "\(method) was sent once, but it arrived \(count) times.")
            }
        },
        Clause("a request that has arrived is not reported as one without a connection") { trial in
            let transport = try await trial.makeTransport()
            // The name has two addresses, and one of them refuses the connection. Some machines
            // have no IPv6.
            let servers = [try trial.server { $1.hangUp() }, try? trial.server(onIPv6: true) { $1.hangUp() }]
            for (server, method) in servers.compactMap({ $0 }).flatMap({
                [($0, HTTPRequest.Method.post), ($0, .delete)]
            }) {
                let request = HTTPRequest(
                    method: method,
                    scheme: "http",
                    authority: "localhost:\(server.port)",
                    path: "/"
                )
                let count = server.requests.count
                do {
                    let body = method == .post ? Data("1".utf8) : nil
                    _ = try await transport.send(request, body: body, responseLimit: 1000)
                    throw ContractViolation(description: "The server hung up, but the transport returned a response.")
                } catch let error as URLError where NetworkError.failuresToConnect.contains(error.code) {
                    // A client may know only one of the addresses.
                    try require(
                        server.requests.count == count,
                        "\(method) arrived, but the transport threw \(error.code), which says that it was not sent."
                    )
                } catch let violation as ContractViolation {
                    throw violation
                } catch {
                    // Any other error is accepted.
                }
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
