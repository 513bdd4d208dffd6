import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes

extension NetworkTransportContract {
    static let cancellation: [Clause] = [
        Clause("a call that is cancelled before it begins throws CancellationError and sends nothing") { trial in
            let transport = try await trial.makeTransport()
            let server = try trial.server { _ in .status(200) }
            // Some clients notice a cancellation only after they have sent the request, but not
            // always.
            for _ in 0..<20 {
                let latch = AsyncLatch()
                let call = Task {
                    await latch.wait()
                    return try await transport.ask(server, .post, "/cancelled")
                }
                call.cancel()
                latch.open()
                try await requireCancelled(call)
            }
            _ = try await transport.ask(server, .get, "/last")
            let arrived = server.requests.map(\.target)
            try require(arrived == ["/last"], "The calls were cancelled before they began, but \(arrived) arrived.")
        },
        Clause("cancelling a call that waits for its response ends it and closes the connection") { trial in
            let transport = try await trial.makeTransport()
            let server = try trial.server { _, _ in }
            let call = Task { try await transport.ask(server) }
            await server.requests(atLeast: 1)
            call.cancel()
            try await requireCancelled(call)
            await server.hangUps(atLeast: 1)
        },
        Clause("cancelling a call in the middle of a slow body ends it and closes the connection") { trial in
            let transport = try await trial.makeTransport()
            let isDripping = Watched(false)
            let server = try trial.server { _, connection in
                await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
                await connection.send(".")
                isDripping.update { $0 = true }
            }
            let call = Task { try await transport.ask(server) }
            await isDripping.wait { $0 }
            call.cancel()
            try await requireCancelled(call)
            await server.hangUps(atLeast: 1)
        },
        Clause("cancelling one call leaves another alone") { trial in
            let transport = try await trial.makeTransport()
            let latch = AsyncLatch()
            let server = try trial.server { request in
                await latch.wait()
                return .init(body: request.body)
            }
            let cancelled = Task { try await transport.ask(server, .post, body: Data("cancelled".utf8)) }
            let other = Task { try await transport.ask(server, .post, body: Data("other".utf8)).body }
            await server.requests(atLeast: 2)
            cancelled.cancel()
            try await requireCancelled(cancelled)
            latch.open()
            let body = try await other.value
            try require(body == Data("other".utf8), "A call that was not cancelled got the response to another one.")
        },
    ]

    private static func requireCancelled(_ call: Task<some Sendable, any Error>) async throws {
        do {
            _ = try await call.value
        } catch is CancellationError {
            return
        } catch {
            throw ContractViolation(description: "The call was cancelled, but the transport threw \(error).")
        }
        throw ContractViolation(description: "The call was cancelled, but the transport returned a response.")
    }
}
