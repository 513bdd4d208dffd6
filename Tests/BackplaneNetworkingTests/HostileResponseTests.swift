import BackplaneConformance
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Malicious or broken responses end as typed errors, in time and before the client reads much
/// data.
@Suite(.timeLimit(.minutes(2)))
struct HostileResponseTests {
    /// An endpoint for a number, so that half of a body would still decode as a value.
    private static let number = NonAuthenticatedEndpoint<Int>(.get("number"))

    private let clock = ManualClock()

    private func service(
        of server: ScriptedServer,
        over transport: TransportKind,
        responseLimit: Int = 1_000_000
    ) throws -> NonAuthenticatedNetworkController {
        var options = NetworkOptions()
        options.clock = clock
        options.responseLimit = responseLimit
        return try NonAuthenticatedNetworkController(
            baseURL: server.baseURL,
            transport: transport.make(),
            options: options
        )
    }

    /// Returns the error of a request for a number.
    private func error(of server: ScriptedServer, over transport: TransportKind) async throws -> NetworkError? {
        let service = try service(of: server, over: transport)
        return await networkError { try await service.request(Self.number) }
    }

    @Test(
        arguments: [
            "Content-Length: 10\r\n\r\n12345", "Content-Length: 10\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n", "Transfer-Encoding: chunked\r\n\r\na\r\n12345",
        ],
        TransportKind.allCases
    )
    func `a truncated body is a failed transport and not a partial value`(
        answer: String,
        transport: TransportKind
    ) async throws {
        for status in ["200 OK", "401 Unauthorized", "500 Oops"] {
            let server = try ScriptedServer { _, connection in
                await connection.send("HTTP/1.1 \(status)\r\n\(answer)")
                connection.hangUp()
            }
            let error = try await error(of: server, over: transport)
            #expect(error?.code == .transportFailed)
            #expect(error?.endpoint == "GET /number")
        }
    }

    @Test(.rule("N26"), arguments: TransportKind.allCases)
    func `a 401 to a refresh keeps its body, so that a mistake of the app signs no user out`(
        transport: TransportKind
    ) async throws {
        let server = try ScriptedServer { request in
            request.target == "/me"
                ? .status(401)
                : .init(
                    status: 401,
                    headers: ["WWW-Authenticate": "Basic realm=\"clients\""],
                    body: Data(#"{"error":"invalid_client"}"#.utf8)
                )
        }
        let service = try service(of: server, over: transport)
        let account = service.account()
        let error = await networkError { try await account.request(.me) }
        #expect(error?.code == .refreshUnavailable)
        #expect(account.isSignedIn)
    }

    @Test(arguments: TransportKind.allCases)
    func `a refresh with a truncated response signs no user out`(transport: TransportKind) async throws {
        let server = try ScriptedServer { request, connection in
            if request.target == "/token/refresh" {
                await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"access_token\":\"a\"}")
                connection.hangUp()
            } else {
                await connection.send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let service = try service(of: server, over: transport)
        let account = service.account(tokens: .named("dead"))
        let error = await networkError { try await account.request(.me) }
        #expect(error?.code == .refreshUnavailable)
        #expect((error?.cause as? NetworkError)?.code == .transportFailed)
    }

    @Test(arguments: ["", "{", "nul", "\"7\"", "[7]", "{\"a\":", "7 8", "\u{0}", "<html>"], TransportKind.allCases)
    func `a body of another type is undecodable`(body: String, transport: TransportKind) async throws {
        let server = try ScriptedServer { _ in .json(body) }
        let error = try await error(of: server, over: transport)
        #expect(error?.code == .undecodableResponse)
    }

    @Test(arguments: TransportKind.allCases)
    func `endlessly nested JSON is undecodable`(transport: TransportKind) async throws {
        let server = try ScriptedServer { _ in .json(String(repeating: "[", count: 500_000)) }
        let error = try await error(of: server, over: transport)
        #expect(error?.code == .undecodableResponse)
    }

    @Test(arguments: TransportKind.allCases)
    func `bytes after the declared length are neither read nor left for the next request`(
        transport: TransportKind
    ) async throws {
        let server = try ScriptedServer { _, connection in
            await connection.send(
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n7HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n8"
            )
        }
        let service = try service(of: server, over: transport)
        for _ in 0..<5 {
            if let number = try? await service.request(Self.number) { #expect(number == 7) }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `ten megabytes of header fields fail the transport`(transport: TransportKind) async throws {
        let sent = Watched<Int?>(nil)
        let server = try ScriptedServer { _, connection in
            await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n")
            let field = Data("X-Padding: \(String(repeating: "x", count: 1000))\r\n".utf8)
            let count = await connection.flood(with: field, upTo: 10_000_000)
            await connection.send("\r\n7")
            sent.update { $0 = count }
        }
        let error = try await error(of: server, over: transport)
        #expect(error?.code == .transportFailed)
        await sent.wait { $0 != nil }
        await server.journal.wait { $0.hangUps == 1 }
    }

    @Test(arguments: ["Content-Length: 9000000000000", "Transfer-Encoding: chunked"], TransportKind.allCases)
    func `an endless body ends at the response limit`(framing: String, transport: TransportKind) async throws {
        let enough = 64_000_000
        let sent = Watched<Int?>(nil)
        let server = try ScriptedServer { _, connection in
            await connection.send("HTTP/1.1 200 OK\r\n\(framing)\r\n\r\n")
            let chunk = Data("10000\r\n".utf8) + Data(repeating: 0x37, count: 0x10000) + Data("\r\n".utf8)
            let count = await connection.flood(with: chunk, upTo: enough)
            sent.update { $0 = count }
        }
        let error = try await error(of: server, over: transport)
        #expect(error?.code == .responseTooLarge)
        await sent.wait { $0 != nil }
        // The limit is one megabyte. The system buffers the rest between the two ends.
        if transport.isBounded { #expect((sent.value ?? enough) < enough / 2) }
    }

    @Test(
        arguments: [
            "", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nX-Slow: ", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n1",
        ],
        TransportKind.allCases
    )
    func `a slowly dripping response ends at the timeout and closes the connection`(
        start: String,
        transport: TransportKind
    ) async throws {
        let isDripping = Watched(false)
        let server = try ScriptedServer { _, connection in
            await connection.send(start)
            isDripping.update { $0 = true }
        }
        let service = try service(of: server, over: transport)
        let call = Task { await networkError { try await service.request(Self.number) } }
        await isDripping.wait { $0 }
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(30))
        #expect(await call.value?.code == .timedOut)
        await server.hangUps(atLeast: 1)
    }

    @Test(
        arguments: ["SSH-2.0-OpenSSH\r\n\r\n", "\u{0}\u{1}\r\n\r\n", "HTTP/1.1 99999 Many\r\n\r\n"],
        TransportKind.allCases
    )
    func `a response that is not HTTP fails the transport`(answer: String, transport: TransportKind) async throws {
        let server = try ScriptedServer { _, connection in
            await connection.send(answer)
            connection.hangUp()
        }
        let error = try await error(of: server, over: transport)
        #expect(error?.code == .transportFailed)
    }
}
