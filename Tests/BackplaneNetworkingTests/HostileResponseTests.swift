import BackplaneConformance
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Malicious or broken responses end as typed errors, before the client reads much data.
///
/// `ShippedTransportsTests` has more of them, for the transports alone.
@Suite(.timeLimit(.minutes(2)))
struct HostileResponseTests {
    /// An endpoint for a number, so that half of a body would still decode as a value.
    private static let number = NonAuthenticatedEndpoint<Int>(.get("number"))

    private func service(
        of server: ScriptedServer,
        over transport: TransportKind
    ) throws -> NonAuthenticatedNetworkController {
        var options = NetworkOptions()
        options.responseLimit = 1_000_000
        return try NonAuthenticatedNetworkController(
            baseURL: server.baseURL,
            transport: transport.make(),
            options: options
        )
    }

    @Test(.rule("N26"), arguments: TransportKind.allCases)
    func `if a 401 to a refresh blames the app, the user stays signed in`(
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
    func `a refresh with a truncated response does not sign out the user`(transport: TransportKind) async throws {
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

    @Test(
        arguments: [
            "", "{", "nul", "\"7\"", "[7]", "{\"a\":", "7 8", "\u{0}", "<html>", String(repeating: "[", count: 500_000),
        ]
    )
    func `a body of another type is undecodable`(body: String) async throws {
        let api = NetworkStub()
        api.respond(to: .get, "number", with: .json(body))
        #expect(await networkError { try await api.service().request(Self.number) }?.code == .undecodableResponse)
    }

    @Test(arguments: ["Content-Length: 9000000000000", "Transfer-Encoding: chunked"], TransportKind.allCases)
    func `an endless body is stopped at the response limit`(framing: String, transport: TransportKind) async throws {
        let enough = 64_000_000
        let sent = Watched<Int?>(nil)
        let server = try ScriptedServer { _, connection in
            await connection.send("HTTP/1.1 200 OK\r\n\(framing)\r\n\r\n")
            let chunk = Data("10000\r\n".utf8) + Data(repeating: 0x37, count: 0x10000) + Data("\r\n".utf8)
            let count = await connection.flood(with: chunk, upTo: enough)
            sent.update { $0 = count }
        }
        let service = try service(of: server, over: transport)
        #expect(await networkError { try await service.request(Self.number) }?.code == .responseTooLarge)
        await sent.wait { $0 != nil }
        // The limit is one megabyte. The system buffers the rest between the two ends.
        if transport.isBounded { #expect((sent.value ?? enough) < enough / 2) }
    }
}
