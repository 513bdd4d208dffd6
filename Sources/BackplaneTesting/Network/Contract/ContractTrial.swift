import BackplaneNetworking
import Foundation
import HTTPTypes

/// What a transport did that it must not do.
struct ContractViolation: Error, CustomStringConvertible {
    let description: String
}

/// Throws a ``ContractViolation`` unless `condition` holds.
func require(_ condition: Bool, _ violation: @autoclosure () -> String) throws {
    if !condition { throw ContractViolation(description: violation()) }
}

/// One run of a clause: makes its transport and its servers, and closes those at the end.
final class ContractTrial: Sendable {
    let makeTransport: @Sendable () async throws -> any NetworkTransport
    private let servers = Watched<[ScriptedServer]>([])

    init(_ makeTransport: @escaping @Sendable () async throws -> any NetworkTransport) {
        self.makeTransport = makeTransport
    }

    /// A server that answers every request by what `script` returns.
    func server(_ script: @escaping ScriptedServer.Script) throws -> ScriptedServer {
        kept(try ScriptedServer(script))
    }

    /// A server that answers every request by the bytes that `exchange` sends.
    func server(exchange: @escaping ScriptedServer.Exchange) throws -> ScriptedServer {
        kept(try ScriptedServer(exchange: exchange))
    }

    /// A server that sends the same text to every request, and then, where that is said, hangs up.
    func server(sending text: String, thenHangUp hangsUp: Bool = false) throws -> ScriptedServer {
        try server { _, connection in
            await connection.send(text)
            if hangsUp { connection.hangUp() }
        }
    }

    /// Closes all connections, which ends most calls that a transport would not end by itself.
    func end() {
        for server in servers.value { server.shutDown() }
    }

    private func kept(_ server: ScriptedServer) -> ScriptedServer {
        servers.update { $0.append(server) }
        return server
    }
}

extension NetworkTransport {
    /// The answer of `server`, of which at most a megabyte is accepted unless something else is said.
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

    /// Throws a ``ContractViolation`` if `server` gets away with its answer, or if the error says something else is the
    /// matter.
    func requireError(
        from server: ScriptedServer,
        _ method: HTTPRequest.Method = .get,
        because reason: String,
        responseLimit: Int = 1_000_000
    ) async throws {
        do {
            let (head, body) = try await ask(server, method, responseLimit: responseLimit)
            throw ContractViolation(
                description: "\(reason), and it returned status \(head.status.code) with \(body.count) bytes."
            )
        } catch let violation as ContractViolation {
            throw violation
        } catch is CancellationError {
            throw ContractViolation(
                description: "\(reason), and it threw CancellationError though nobody cancelled it."
            )
        } catch {
            // Any error will do.
        }
    }
}
