import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import CampusAPI
import CampusModels
import CampusNetworking
import CampusTestTools
import Foundation
import HTTPTypes
import Testing

/// Tests of the app's networking against the real API.
@Suite(.rule("M14", "M15", "M16"), .timeLimit(.minutes(5)))
struct ClientTests {
    private static func service(_ api: APIClient) throws -> NonAuthenticatedNetworkController {
        let url = try #require(URL(string: api.url))
        return try NonAuthenticatedNetworkController(baseURL: url)
    }

    private static func account(
        _ service: NonAuthenticatedNetworkController,
        _ tokens: NetworkTokens
    ) -> AuthenticatedNetworkController {
        AuthenticatedNetworkController(over: service, tokens: tokens) { .refresh($0) }
    }

    @Test(.rule("M16")) func `an account exists from the sign-in on, with the user that was loaded`() async throws {
        try await withAPI { api in
            let service = try Self.service(api)
            let tokens = try await service.request(.login(DemoUsers.ada))
            let session = UserSession<User>(over: service, user: .me, refresh: { .refresh($0) })
            let account = try await session.signIn(with: tokens)
            #expect(account.user.name == "Ada Lovelace")
            let user = try await account.sync()
            #expect(account.user == user)
        }
    }

    @Test(.rule("N2")) func `an expired token is refreshed once before the requests that need a token`() async throws {
        try await withAPI { api in
            let (exchanges, exchange) = AsyncStream<String>.makeStream()
            var options = NetworkOptions()
            let clock = ManualClock()
            options.clock = clock
            options.observe = { exchange.yield("\($0)") }
            let url = try #require(URL(string: api.url))
            let service = try NonAuthenticatedNetworkController(baseURL: url, options: options)
            let tokens = try await service.request(.login(DemoUsers.ada))
            let account = Self.account(service, tokens)
            clock.advance(by: .seconds(300))
            async let courses = account.request(.courses)
            async let course = account.request(.course("abc123"))
            let (all, one) = try await (courses, course)
            #expect(all.contains(one))

            exchange.finish()
            var seen: [String] = []
            for await line in exchanges { seen.append(line) }
            #expect(seen.prefix(2).map { $0.split(separator: " ")[1] } == ["/login", "/token/refresh"])
            #expect(seen.count == 4)
            #expect(!seen.contains { $0.contains(" 401 ") })
        }
    }

    @Test(.rule("M14")) func `the catalog loads without tokens, and a message is sent with tokens`() async throws {
        try await withAPI { api in
            let service = try Self.service(api)
            let products = try await service.request(.catalog)
            let notes = try await service.request(.product("notes"))
            #expect(products.contains(notes))

            let tokens = try await service.request(.login(DemoUsers.ada))
            let account = Self.account(service, tokens)
            let babbage = try #require(try await account.request(.contacts).first)
            let sent = try await account.request(.send(NewMessage(recipients: [babbage.id], text: "Done.")), key: "d")
            #expect(sent.recipients == [babbage])
            #expect(try await account.request(.messages()).messages == [sent])
        }
    }

    @Test(.rule("D9"))
    func `requests that are repeated with their key have an effect once, and a refusal has a reason`() async throws {
        try await withAPI {
            $0.faults = try? Faults("drop=/courses/*/todos/*:1,drop=/messages:1,reject=/favorites/*:1")
        } _: { api in
            let service = try Self.service(api)
            let tokens = try await service.request(.login(DemoUsers.ada))
            let account = Self.account(service, tokens)

            let tick = AuthenticatedIdempotentEndpoint.change("abc123-2", of: "abc123", to: TodoChange(isDone: true))
            let lost = await #expect(throws: NetworkError.self) { try await account.request(tick, key: "t") }
            #expect(lost?.code == .serverFailed)
            #expect(try await account.request(tick, key: "t").rev == 1)
            #expect(try await account.request(.todos(of: "abc123")).map(\.rev) == [1, 1, 0])

            let send = AuthenticatedIdempotentEndpoint.send(NewMessage(recipients: ["tutor-babbage"], text: "Done."))
            await #expect(throws: NetworkError.self) { try await account.request(send, key: "m") }
            let sent = try await account.request(send, key: "m")
            #expect(try await account.request(.messages()).messages == [sent])

            let buy = AuthenticatedIdempotentEndpoint.purchase(NewPurchase(product: "cards"))
            let bought = try await account.request(buy, key: "p")
            #expect(try await account.request(buy, key: "p") == bought)
            #expect(try await account.request(.purchases) == [bought])

            let like = AuthenticatedEndpoint.addFavorite("cards").errors(as: APIError.self)
            let refusal = await #expect(throws: NetworkError.self) { try await account.request(like) }
            #expect((refusal?.cause as? APIError)?.code == .conflict)
            try await account.request(like)
            #expect(try await account.request(.favorites) == ["cards"])
            try await account.request(.removeFavorite("cards"))
            #expect(try await account.request(.favorites).isEmpty)
        }
    }

    @Test(.rule("N9")) func `a sign-out ends the session in the app and at the server`() async throws {
        try await withAPI { api in
            let service = try Self.service(api)
            let tokens = try await service.request(.login(DemoUsers.ada))
            let account = Self.account(service, tokens)
            try await account.signOut(revokingWith: .logout)
            let here = await #expect(throws: NetworkError.self) { try await account.request(.me) }
            #expect(here?.code == .signedOut)
            let there = await #expect(throws: NetworkError.self) {
                try await Self.account(service, tokens).request(.me)
            }
            #expect(there?.code == .sessionExpired)
        }
    }

    @Test func `the error for a wrong password does not contain the password or the e-mail address`() async throws {
        try await withAPI { api in
            let service = try Self.service(api)
            let wrong = LoginRequest(email: DemoUsers.ada.email, password: "wrong")
            let error = await #expect(throws: NetworkError.self) {
                try await service.request(.login(wrong))
            }
            #expect(error?.code == .unauthorized)
            #expect(error.map { !"\($0)".contains("wrong") && !"\($0)".contains(wrong.email) } == true)
        }
    }

    @Test func `the address of a client and the key of the app reach the API`() async throws {
        try await withAPI {
            $0.appKey = testAppKey
            $0.loginAttempts = 1
        } _: { api in
            let service = try Self.service(api)
            let near = ForwardedClient(address: "192.0.2.1", key: testAppKey)
            let far = ForwardedClient(address: "192.0.2.2", key: testAppKey)
            let wrong = LoginRequest(email: DemoUsers.ada.email, password: "wrong")
            await #expect(throws: NetworkError.self) { try await service.request(.login(wrong, forwarded: near)) }
            _ = try await service.request(.login(DemoUsers.ada, forwarded: far))
            let error = await #expect(throws: NetworkError.self) {
                try await service.request(.login(DemoUsers.ada, forwarded: near))
            }
            #expect(error?.status?.code == 429)
        }
    }
}
