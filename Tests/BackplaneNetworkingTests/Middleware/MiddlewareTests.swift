import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MiddlewareTests {
    private struct Whim: Error {}

    private let api = NetworkStub()

    @Test func `requests pass middlewares from the outermost inward, and responses pass outward`() async throws {
        struct Named: NetworkMiddleware {
            let name: String
            let log: Watched<[String]>

            func intercept(
                _ request: HTTPRequest,
                body: Data?,
                context: NetworkRequestContext,
                next: NetworkMiddleware.Next
            ) async throws -> (HTTPResponse, Data) {
                log.update { $0.append("\(name) out") }
                defer { log.update { $0.append("\(name) back") } }
                return try await next(request, body)
            }
        }
        let log = Watched<[String]>([])
        api.respond(to: .get, "x", with: .status(.ok))
        let service = try api.service { options in
            options.middlewares = [Named(name: "outer", log: log), Named(name: "inner", log: log)]
            options.observe = { _ in log.update { $0.append("sent") } }
        }
        try await service.request(.visit())
        #expect(log.value == ["outer out", "inner out", "sent", "inner back", "outer back"])
    }

    @Test
    func `a middleware can change fields and body, authorize public requests and see the endpoint`() async throws {
        api.respond(to: .post, "x", with: .status(.ok))
        let service = try api.service { options in
            options.intercept { request, body, context, next in
                #expect(context.endpoint == "POST /x")
                var request = request
                request.headerFields[.userAgent] = "Campus"
                request.headerFields[.authorization] = "Basic c2VjcmV0"
                return try await next(request, (body ?? Data()) + Data("!".utf8))
            }
        }
        let body = EndpointBody.data(Data("hi".utf8))
        try await service.request(NonAuthenticatedEndpoint<Void>(.post("x", query: ["key": "s3cret"], body: body)))
        #expect(api.requests.first?.headerFields[.userAgent] == "Campus")
        #expect(api.requests.first?.headerFields[.authorization] == "Basic c2VjcmV0")
        #expect(api.requests.first?.body == Data("hi!".utf8))
        #expect(api.requests.first?.query == "key=s3cret")
    }

    @Test func `a middleware can respond without sending a request`() async throws {
        let service = try api.service { options in
            options.observe = { observation in Issue.record("\(observation)") }
            options.intercept { _, _, _, _ in (HTTPResponse(status: .ok), Data(#"{"name":"Ada"}"#.utf8)) }
        }
        #expect(try await service.request(.author(User.ID(rawValue: "7"))) == User(name: "Ada"))
        #expect(api.requests.isEmpty)
    }

    @Test func `a middleware cannot read or replace the access token`() async throws {
        let seen = Watched<[String]>([])
        let server = try TokenServer(accepting: ["access-1"])
        let service = try server.http.service { options in
            options.intercept { request, body, context, next in
                seen.update { $0.append("\(request.headerFields) \(request) \(context)") }
                var request = request
                request.headerFields[.authorization] = "Bearer mine"
                let answer = try await next(request, body)
                seen.update { $0.append("\(answer.0) \(answer.0.headerFields)") }
                return answer
            }
        }
        let account = service.account()
        _ = try await account.request(.me)
        #expect(server.tokensSeen == ["access-0", "access-1"])
        #expect(seen.value.count == 4)
        #expect(!seen.value.joined().contains("access-"))
    }

    @Test func `an endpoint cannot replace the access token`() async throws {
        api.respond(to: .get, "me", with: .json(#"{"name":"Ada"}"#))
        let endpoint = AuthenticatedEndpoint<User>(.get("me", headers: [.authorization: "Basic c2VjcmV0"]))
        _ = try await api.account().request(endpoint)
        #expect(api.requests.map(\.bearer) == ["access-0"])
    }

    @Test(.rule("N2")) func `every attempt carries the access token that is valid at its time`() async throws {
        let clock = ManualClock()
        let server = try TokenServer(accepting: ["access-0"])
        let service = try server.http.service { options in
            options.clock = clock
            options.timeout = .seconds(600)
            options.intercept { request, body, context, next in
                guard context.endpoint == "GET /me" else { return try await next(request, body) }
                _ = try await next(request, body)
                clock.advance(by: .seconds(59))
                return try await next(request, body)
            }
        }
        let account = service.account(tokens: .named("access-0", expiresIn: .seconds(60)))
        _ = try await account.request(.me)
        #expect(server.tokensSeen == ["access-0", "access-1"])
    }

    @Test(.rule("N3"))
    func `a request has one retry for rejected tokens, even if a middleware sends it several times`() async throws {
        api.respond(to: .get, "me", with: .status(.unauthorized))
        api.respond(to: .post, "token/refresh", with: .json(#"{"access_token":"access-1"}"#))
        let account = try api.account { options in
            options.intercept { request, body, context, next in
                guard context.endpoint == "GET /me" else { return try await next(request, body) }
                _ = try await next(request, body)
                return try await next(request, body)
            }
        }
        let error = await networkError { try await account.request(.me) }
        #expect(error?.code == .unauthorized)
        // A rejected token is not sent again, so the middleware's second request is not sent.
        #expect(api.requests.count { $0.path == "/me" } == 2)
        #expect(api.requests.count { $0.path == "/token/refresh" } == 1)
    }

    @Test(.rule("N29"), arguments: ["http", "authority", "host", "path", "no path"])
    func `a middleware cannot send a request and its token to another server`(change: String) async throws {
        let configure = { (options: inout NetworkOptions) in
            options.change { request in
                switch change {
                case "http": request.scheme = "http"
                case "authority": request.authority = "example.com"
                case "host":
                    if let host = HTTPField.Name("Host") { request.headerFields[host] = "other.example.com" }
                case "path": request.path = "@example.com/me"
                default: request.path = nil
                }
            }
        }
        let error = await networkError { try await api.account(configure).request(.me) }
        #expect(error?.code == .originChanged)
        #expect(
            error?.description == """
                GET /me: No request was sent because a middleware changed its scheme, its authority or the first slash \
                of its path, or because its Host field is not its authority. It would go to another server. Create a \
                separate controller for that server.
                """
        )
        let other = await networkError { try await api.service(configure).request(.visit()) }
        #expect(other?.code == .originChanged)
        #expect(api.requests.isEmpty)
    }

    @Test func `a middleware can choose another resource of the server, and the observation shows the resource`()
        async throws
    {
        let log = Watched<[String]>([])
        api.respond(to: .get, "v2/x", with: .status(.ok))
        let service = try api.service { options in
            options.observe = { observation in log.update { $0.append(observation.path) } }
            options.change { $0.path = "/v2/x?key=s3cret" }
        }
        try await service.request(.visit())
        #expect(log.value == ["/v2/x"])
    }

    @Test func `the timeout covers middlewares, and the context contains the remaining time`() async throws {
        let clock = ManualClock()
        let latch = AsyncLatch()
        let service = try api.service { options in
            options.clock = clock
            options.timeout = .seconds(5)
            options.intercept { _, _, context, _ in
                #expect(context.remainingTime == .seconds(5))
                try await latch.waitUnlessCancelled()
                return (HTTPResponse(status: .ok), Data())
            }
        }
        let request = Task { await networkError { try await service.request(.visit()) } }
        await latch.arrivals(atLeast: 1)
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(5))
        #expect(await request.value?.code == .timedOut)
    }

    @Test func `cancelling a request inside a middleware throws CancellationError`() async throws {
        let latch = AsyncLatch()
        let service = try api.service { options in
            options.intercept { _, _, _, _ in
                try? await latch.waitUnlessCancelled()
                throw Whim()
            }
        }
        let request = Task { try await service.request(.visit()) }
        await latch.arrivals(atLeast: 1)
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
    }

    @Test(arguments: [true, false])
    func `an untyped error of a middleware is the cause of a typed error`(isCancellation: Bool) async throws {
        let service = try api.service { options in
            options.intercept { _, _, _, _ in throw isCancellation ? CancellationError() : Whim() }
        }
        let error = try #require(await networkError { try await service.request(.visit()) })
        #expect(error.code == .middlewareFailed)
        #expect(isCancellation ? error.cause is CancellationError : error.cause is Whim)
        guard !isCancellation else { return }
        #expect(
            error.description == """
                GET /x: A middleware of the controller threw its own error (Whim). See `cause` for the error. The \
                server may or may not have processed the request.
                """
        )
    }

    @Test func `a typed error of a middleware is thrown unchanged`() async throws {
        let service = try api.service { options in
            options.intercept { _, _, _, _ in throw NetworkError(.rejected, message: "Closed at night.") }
        }
        let error = await networkError { try await service.request(.visit()) }
        #expect(error?.code == .rejected)
        #expect(error?.description == "GET /x: Closed at night.")
    }

    @Test(.rule("N9")) func `after a sign-out, the error of a middleware is replaced by signedOut`() async throws {
        let latch = AsyncLatch()
        let account = try api.account { options in
            options.intercept { _, _, _, _ in
                await latch.wait()
                throw Whim()
            }
        }
        let request = Task { await networkError { try await account.request(.me) } }
        await latch.arrivals(atLeast: 1)
        try await account.signOut()
        latch.open()
        #expect(await request.value?.code == .signedOut)
    }
}
