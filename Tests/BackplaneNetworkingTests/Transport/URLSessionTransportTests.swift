import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(1)))
struct URLSessionTransportTests {
    private let transport = URLSessionTransport()

    private func request(_ path: String, on server: ScriptedServer, headers: HTTPFields = [:]) -> HTTPRequest {
        HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "127.0.0.1:\(server.port)",
            path: path,
            headerFields: headers
        )
    }

    @Test func `a redirect is the answer and is not followed, so the token stays here`() async throws {
        let elsewhere = try ScriptedServer { _ in .status(200) }
        let server = try ScriptedServer { _ in
            .init(status: 302, headers: ["Location": "\(elsewhere.url)/stolen"], body: Data("moved".utf8))
        }
        let (response, _) = try await transport.send(
            request("/", on: server, headers: [.authorization: "Bearer s3cret"]),
            body: nil,
            responseLimit: 1000
        )
        #expect(response.status.code == 302)
        #expect(response.headerFields[.location] == "\(elsewhere.url)/stolen")
        #expect(elsewhere.requests.isEmpty)
    }

    @Test func `cookies are neither kept nor sent`() async throws {
        let server = try ScriptedServer { _ in .init(headers: ["Set-Cookie": "id=1; Path=/"]) }
        for _ in 0..<2 { _ = try await transport.send(request("/", on: server), body: nil, responseLimit: 1000) }
        #expect(server.requests.map { $0.headers["cookie"] } == [nil, nil])
    }

    @Test func `nothing is cached`() async throws {
        let server = try ScriptedServer { _ in
            .init(headers: ["Cache-Control": "max-age=3600", "ETag": "\"1\""], body: Data("x".utf8))
        }
        for _ in 0..<2 { _ = try await transport.send(request("/", on: server), body: nil, responseLimit: 1000) }
        #expect(server.requests.count == 2)
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, nil])
    }

    @Test(arguments: ["Bearer realm=\"x\"", "Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"1\""])
    func `a challenge is an answer like any other`(challenge: String) async throws {
        let server = try ScriptedServer { _ in .init(status: 401, headers: ["WWW-Authenticate": challenge]) }
        let (response, _) = try await transport.send(request("/", on: server), body: nil, responseLimit: 1000)
        #expect(response.status.code == 401)
        #expect(response.headerFields[.wwwAuthenticate] == challenge)
        #expect(server.requests.count == 1)
    }

    @Test func `a body larger than the limit is given up`() async throws {
        let server = try ScriptedServer { _ in .init(body: Data(count: 1001)) }
        let error = await networkError {
            try await transport.send(request("/", on: server), body: nil, responseLimit: 1000)
        }
        #expect(error?.code == .responseTooLarge)
        let (_, body) = try await transport.send(request("/", on: server), body: nil, responseLimit: 1001)
        #expect(body.count == 1001)
    }

    @Test func `a body is sent as it is`() async throws {
        let server = try ScriptedServer { _ in .status(204) }
        var request = request("/x?y=%2F", on: server)
        request.method = .post
        let body = Data((0..<100_000).map { UInt8($0 % 251) })
        let (response, _) = try await transport.send(request, body: body, responseLimit: 0)
        #expect(response.status.code == 204)
        #expect(server.requests.first?.target == "/x?y=%2F")
        #expect(server.requests.first?.body == body)
    }

    @Test func `a call that is cancelled before it starts throws CancellationError`() async throws {
        let server = try ScriptedServer { _ in .status(200) }
        let gate = AsyncGate()
        let call = Task {
            await gate.wait()
            return try await transport.send(request("/", on: server), body: nil, responseLimit: 1000)
        }
        call.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func `connections are closed with the transport`() async throws {
        let server = try ScriptedServer { _ in .status(204) }
        var transport: URLSessionTransport? = URLSessionTransport()
        _ = try await transport?.send(request("/", on: server), body: nil, responseLimit: 1000)
        transport = nil
        await server.journal.wait { $0.hangUps == 1 }
    }

    @Test func `cancelling throws CancellationError and closes the connection`() async throws {
        let gate = AsyncGate()
        let server = try ScriptedServer { _ in
            await gate.wait()
            return .status(200)
        }
        let call = Task { try await transport.send(request("/", on: server), body: nil, responseLimit: 1000) }
        await server.requests(atLeast: 1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        await server.journal.wait { $0.hangUps == 1 }
        gate.open()
    }
}
