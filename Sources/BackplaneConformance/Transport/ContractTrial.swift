import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes

/// One run of a clause: it creates the transport and the servers, and closes the servers at the
/// end.
final class ContractTrial: Sendable {
    let makeTransport: @Sendable () async throws -> any NetworkTransport
    private let servers = Watched<[ScriptedServer]>([])

    init(_ makeTransport: @escaping @Sendable () async throws -> any NetworkTransport) {
        self.makeTransport = makeTransport
    }

    /// Returns a server that responds to every request with the reply of `script`.
    func server(_ script: @escaping ScriptedServer.Script) throws -> ScriptedServer {
        kept(try ScriptedServer(script))
    }

    /// Returns a server that responds to every request with the bytes that `exchange` sends.
    func server(onIPv6 isIPv6: Bool = false, exchange: @escaping ScriptedServer.Exchange) throws -> ScriptedServer {
        kept(try ScriptedServer(onIPv6: isIPv6, exchange: exchange))
    }

    /// Returns a server that sends the same text to every request, and hangs up afterwards if asked
    /// to.
    func server(sending text: String, thenHangUp hangsUp: Bool = false) throws -> ScriptedServer {
        try server { _, connection in
            await connection.send(text)
            if hangsUp { connection.hangUp() }
        }
    }

    /// Closes all connections, which ends most calls that a transport does not end by itself.
    func end() {
        for server in servers.value { server.shutDown() }
    }

    private func kept(_ server: ScriptedServer) -> ScriptedServer {
        servers.update { $0.append(server) }
        return server
    }
}

extension NetworkTransport {
    /// Returns the response of `server`, whose body may have up to a megabyte by default.
    func ask(
        _ server: ScriptedServer,
        _ method: HTTPRequest.Method = .get,
        _ path: String = "/",
        fields: HTTPFields = [:],
        body: Data? = nil,
        responseLimit: Int = 1_000_000
    ) async throws -> (head: HTTPResponse, body: Data) {
        let request = HTTPRequest(
            method: method,
            scheme: "http",
            authority: server.authority,
            path: path,
            headerFields: fields
        )
        return try await send(request, body: body, responseLimit: responseLimit)
    }

    /// Throws a ``ContractViolation`` if the call returns a response or throws `CancellationError`.
    ///
    /// Any other error is accepted.
    func requireError(
        from server: ScriptedServer,
        _ method: HTTPRequest.Method = .get,
        because reason: String,
        responseLimit: Int = 1_000_000
    ) async throws {
        do {
            let (head, body) = try await ask(server, method, responseLimit: responseLimit)
            throw ContractViolation(
                description:
                    "\(reason), but the transport returned status \(head.status.code) with \(body.count) bytes."
            )
        } catch let violation as ContractViolation {
            throw violation
        } catch is CancellationError {
            throw ContractViolation(
                description: "\(reason), but the transport threw CancellationError without a cancellation."
            )
        } catch {
            // Any other error is accepted.
        }
    }
}
