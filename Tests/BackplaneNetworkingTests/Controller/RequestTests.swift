import BackplaneConformance
import BackplaneTesting
import Foundation
import HTTPTypes
import Testing

@testable import BackplaneNetworking

@Suite(.timeLimit(.minutes(5)))
struct RequestTests {
    private static let author = NonAuthenticatedEndpoint<User>.author(User.ID(rawValue: "7"))

    @Test(
        arguments: [
            (302, NetworkError.Code.redirected), (401, .unauthorized), (404, .rejected), (409, .rejected),
            (500, .serverFailed), (503, .serverFailed),
        ]
    )
    func `an unsuccessful status throws a typed error`(status: Int, code: NetworkError.Code) async throws {
        let server = try ScriptedServer { _ in
            var reply = ScriptedServer.Reply.json(#"{"code":"no_such_author"}"#, status: status)
            reply.headers["Location"] = "/elsewhere"
            return reply
        }
        let service = try server.service()
        let error = try #require(await networkError { try await service.request(Self.author) })
        #expect(error.code == code)
        #expect(error.status?.code == status)
        #expect(error.endpoint == "GET /authors/7")
        #expect(error.body == Data(#"{"code":"no_such_author"}"#.utf8))
    }

    @Test func `the body of an error has a limited size`() async throws {
        let server = try ScriptedServer { _ in .init(status: 500, body: Data(count: NetworkError.bodyLimit + 1)) }
        let service = try server.service()
        let body = try #require(await networkError { try await service.request(Self.author) }?.body)
        #expect(body.count == NetworkError.bodyLimit)
    }

    @Test func `an undecodable response throws a typed error with the coding path`() async throws {
        let server = try ScriptedServer { _ in .json(#"{"name":42}"#) }
        let service = try server.service()
        let error = try #require(await networkError { try await service.request(Self.author) })
        #expect(error.code == .undecodableResponse)
        #expect(error.cause is DecodingError)
        #expect(
            error.description == """
                GET /authors/7: The response does not match the type that the endpoint declares at ".name". Compare \
                the type with the body that the server sends. See `cause` for the details.
                """
        )
    }

    @Test(arguments: [(5, nil), (30, 5), (2, 5)])
    func `a request times out on the injected clock after its own timeout or that of the controller`(
        general: Int,
        own: Int?
    ) async throws {
        let clock = ManualClock()
        let latch = AsyncLatch()
        let server = try ScriptedServer.waiting(for: latch, .status(200))
        let service = try server.service { options in
            options.clock = clock
            options.timeout = .seconds(general)
        }
        let endpoint = own.map { Self.author.timeout(.seconds($0)) } ?? Self.author
        let request = Task { await networkError { try await service.request(endpoint) } }
        await server.requests(atLeast: 1)
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(5))
        let error = await request.value
        #expect(error?.code == .timedOut)
        #expect(
            error?.description == """
                GET /authors/7: No response arrived within 5.0 seconds. Try again, or give the endpoint a longer \
                timeout if it is known to be slow.
                """
        )
        latch.open()
    }

    @Test func `cancelling throws CancellationError at once and closes the connection`() async throws {
        let latch = AsyncLatch()
        let server = try ScriptedServer.waiting(for: latch, .status(200))
        let service = try server.service()
        let request = Task { try await service.request(Self.author) }
        await server.requests(atLeast: 1)
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
        await server.journal.wait { $0.hangUps == 1 }
        latch.open()
    }

    @Test func `every exchange is observed with its outcome and without its query`() async throws {
        let observations = Watched<[NetworkObservation]>([])
        let clock = ManualClock()
        let server = try ScriptedServer { request in
            request.method == "GET" ? .status(204) : .json("", status: 503)
        }
        let service = try server.service { options in
            options.clock = clock
            options.observe = { observation in observations.update { $0.append(observation) } }
        }
        try await service.request(NonAuthenticatedEndpoint<Void>(.get("x", query: ["key": "secret"])))
        _ = try? await service.request(NonAuthenticatedEndpoint<Void>(.delete("y")))
        #expect(observations.value.map(\.description) == ["GET /x 204 in 0.0 seconds", "DELETE /y 503 in 0.0 seconds"])
    }

    @Test func `an observation distinguishes a timeout from a cancelled request`() async throws {
        let observations = Watched<[NetworkObservation]>([])
        let clock = ManualClock()
        let latch = AsyncLatch()
        let server = try ScriptedServer.waiting(for: latch, .status(200))
        let service = try server.service { options in
            options.clock = clock
            options.timeout = .seconds(5)
            options.observe = { observation in observations.update { $0.append(observation) } }
        }
        let patient = Task { try await service.request(Self.author) }
        await server.requests(atLeast: 1)
        patient.cancel()
        _ = await patient.result
        let late = Task { try await service.request(Self.author) }
        await server.requests(atLeast: 2)
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(5))
        _ = await late.result
        // The request has returned at its timeout. Its exchange ends later.
        await observations.wait { $0.count == 2 }
        let codes = observations.value.map { observation in
            if case .failure(let error) = observation.result { error.code } else { nil as NetworkError.Code? }
        }
        #expect(codes == [.cancelled, .timedOut])
        latch.open()
    }
}
