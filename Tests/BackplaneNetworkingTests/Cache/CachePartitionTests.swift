import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// N9, N12: cached responses of a user belong to that user only and end with the user's session.
@Suite(.timeLimit(.minutes(5)))
struct CachePartitionTests {
    private let api = NetworkStub()

    /// Creates an account whose server responds with the access token as the user's name.
    private func account(
        over service: NonAuthenticatedNetworkController? = nil,
        _ token: String = "access-a"
    ) throws -> AuthenticatedNetworkController {
        api.respond(to: .get, "me") { request in .json(#"{"name":"\#(request.bearer ?? "nobody")"}"#) }
        return try (service ?? api.service()).account(tokens: .named(token))
    }

    private let me = AuthenticatedEndpoint<User>.me.cached(for: .seconds(60))

    @Test func `a cached response of a user stays valid after a token refresh`() async throws {
        let server = try TokenServer(accepting: ["access-0"])
        let account = try server.http.account()
        _ = try await account.request(me)
        server.state.update { $0.accepted = [] }
        try await account.request(AuthenticatedEndpoint<Data>(.get("me")).map { _ in })
        #expect(server.refreshes == 1)
        _ = try await account.request(me)
        #expect(server.tokensSeen == ["access-0", "access-0", "access-1"])
    }

    @Test func `an authorization header from a middleware does not change the user's cache key`() async throws {
        let count = Watched(0)
        let account = try account(
            over: try api.service { options in
                options.change { request in
                    count.update { $0 += 1 }
                    request.headerFields[.authorization] = "Bearer \(count.value)"
                }
            }
        )
        _ = try await account.request(me)
        _ = try await account.request(me)
        #expect(count.value == 2)
        #expect(api.requests.count == 1)
    }

    @Test(.rule("N12")) func `the next user does not see cached responses of the previous user`() async throws {
        let account = try account()
        #expect(try await account.request(me) == User(name: "access-a"))
        try await account.signIn(with: .named("access-b"))
        #expect(try await account.request(me) == User(name: "access-b"))
        try await account.signOut()
        try await account.signIn(with: .named("access-a2"))
        #expect(try await account.request(me) == User(name: "access-a2"))
    }

    @Test(.rule("N12"))
    func `two users of a server have separate caches and do not share the public cache`() async throws {
        let service = try api.service()
        let a = try account(over: service)
        let b = try account(over: service, "access-b")
        let everybodys = NonAuthenticatedEndpoint<User>(.get("me")).cached(for: .seconds(60))
        for _ in 1...2 {
            #expect(try await a.request(me) == User(name: "access-a"))
            #expect(try await b.request(me) == User(name: "access-b"))
            #expect(try await service.request(everybodys) == User(name: "nobody"))
        }
        #expect(api.requests.count == 3)
    }

    @Test(.rule("N9")) func `a cached response is not returned after signing out`() async throws {
        let account = try account()
        _ = try await account.request(me)
        try await account.signOut()
        #expect(await networkError { try await account.request(me) }?.code == .signedOut)
    }

    @Test(.rule("N9")) func `a response that arrives after signing out is not cached`() async throws {
        let latch = AsyncLatch()
        api.respond(to: .get, "me", with: .json(#"{"name":"Ada"}"#), after: latch)
        let account = try api.account(tokens: .named("access-a"))
        let late = Task { await networkError { try await account.request(me) } }
        await latch.arrivals(atLeast: 1)
        try await account.signOut()
        try await account.signIn(with: .named("access-b"))
        latch.open()
        #expect(await late.value?.code == .signedOut)
        #expect(try await account.request(me) == User(name: "Ada"))
        #expect(api.requests.map(\.bearer) == ["access-a", "access-b"])
    }

    @Test func `a write by a user discards the public cached response`() async throws {
        let service = try api.service()
        let account = try account(over: service)
        api.respond(to: .get, "course", with: .json(#"{"name":"old"}"#), .json(#"{"name":"new"}"#))
        api.respond(to: .put, "course", with: .status(.ok))
        let course = NonAuthenticatedEndpoint<User>(.get("course")).cached(for: .seconds(60))
        #expect(try await service.request(course) == User(name: "old"))
        try await account.request(AuthenticatedEndpoint<Void>(.put("course")))
        #expect(try await service.request(course) == User(name: "new"))
    }

    /// Checks the used memory indirectly: another response fits again after the user's response is
    /// gone.
    @Test(.rule("N9"), arguments: ["sign out", "sign in", "expire", "stay"])
    func `the cached responses of a user leave memory when the user's session ends`(how: String) async throws {
        // The limit has space for the user's response and one other response, or for both other
        // responses. The oldest response is evicted first.
        let service = try api.service { $0.cache = .memory(limit: 110 + 2 * "https://api.example.com".utf8.count) }
        let account = try account(over: service)
        api.respond(to: .get, "a", with: .json("1"), .json("2"))
        api.respond(to: .get, "b", with: .json("3"))
        api.respond(to: .get, "gone", with: .status(.unauthorized))
        api.respond(to: .post, "token/refresh", with: .status(.badRequest))
        let a = NonAuthenticatedEndpoint<Data>(.get("a")).cached(for: .seconds(60))
        let b = NonAuthenticatedEndpoint<Data>(.get("b")).cached(for: .seconds(60))
        _ = try await service.request(a)
        _ = try await account.request(me)
        switch how {
        case "sign out": try await account.signOut()
        case "sign in": try await account.signIn(with: .named("access-b"))
        case "expire": _ = await networkError { try await account.request(AuthenticatedEndpoint<Void>(.get("gone"))) }
        default: break
        }
        _ = try await service.request(b)
        #expect(try await service.request(a) == Data((how == "stay" ? "2" : "1").utf8))
    }
}
