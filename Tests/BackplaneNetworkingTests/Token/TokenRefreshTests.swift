import BackplaneConformance
import BackplaneTesting
import Foundation
import TestSupport
import Testing

@testable import BackplaneNetworking

@Suite(.timeLimit(.minutes(5)))
struct TokenRefreshTests {
    private static let fresh = #"{"name":"Ada"}"#

    /// Creates a controller on a stopped clock, so that the number of sleepers is the number of
    /// running requests.
    private func account(
        on server: TokenServer,
        tokens: NetworkTokens,
        vault: any TokenVault = MemoryTokenVault(),
        clock: ManualClock = ManualClock(),
        onEvent: @escaping @Sendable (NetworkError) -> Void = { _ in }
    ) throws -> AuthenticatedNetworkController {
        try server.http.account(tokens: tokens, vault: vault, onEvent: onEvent) { $0.clock = clock }
    }

    // MARK: N1

    @Test(.rule("N1"))
    func `a 401 for a token that was replaced in the meantime is retried without another refresh`() async throws {
        let late = AsyncLatch()
        let seen = Watched(0)
        let server = try ScriptedServer { request in
            switch (request.target, request.bearer) {
            case ("/token/refresh", _):
                return .json(#"{"access_token":"access-1","refresh_token":"refresh-2"}"#)
            case (_, "access-1"):
                return .json(Self.fresh)
            default:
                // The second request with the old token gets its 401 only after the refresh.
                if seen.update({
                    $0 += 1
                    return $0
                }) == 2 {
                    await late.wait()
                }
                return .status(401)
            }
        }
        let account = try server.account()
        let latch = AsyncLatch()
        async let first = {
            await latch.wait()
            return try await account.request(.me)
        }()
        async let second = {
            await latch.wait()
            return try await account.request(.me)
        }()
        latch.open()
        await late.arrivals(atLeast: 1)
        await server.journal.wait { $0.requests.contains { $0.bearer == "access-1" } }
        late.open()
        #expect(try await [first, second] == [User(name: "Ada"), User(name: "Ada")])
        #expect(server.requests.filter { $0.target == "/token/refresh" }.count == 1)
    }

    // MARK: N3

    @Test(.rule("N3"))
    func `a 401 refreshes the token and sends the same request once more, with the same bytes`() async throws {
        let server = try TokenServer()
        let account = try account(on: server, tokens: .named("access-0"))
        let body = EndpointBody.json(["a": 1, "b": 2, "c": 3])
        #expect(try await account.request(AuthenticatedEndpoint<User>(.put("me", body: body))) == User(name: "Ada"))
        #expect(server.http.requests.map(\.target) == ["/me", "/token/refresh", "/me"])
        #expect(server.tokensSeen == ["access-0", "access-1"])
        #expect(server.http.requests[0].body == server.http.requests[2].body)
    }

    @Test(.rule("N3")) func `a second 401 throws unauthorized, and the session continues`() async throws {
        let server = try ScriptedServer { request in
            request.target == "/token/refresh" ? .json(#"{"access_token":"access-1"}"#) : .status(401)
        }
        let account = try server.account()
        let error = try #require(await networkError { try await account.request(.me) })
        #expect(error.code == .unauthorized)
        #expect(
            error.description == """
                GET /me: The server responded with status 401. The credentials are missing or not accepted.
                """
        )
        #expect(server.requests.map(\.target) == ["/me", "/token/refresh", "/me"])
        #expect(account.isSignedIn)
    }

    @Test(.rule("N3")) func `an endpoint decides which 401 responses refuse the token`() async throws {
        let server = try TokenServer()
        let account = try account(on: server, tokens: .named("access-0"))
        let endpoint = AuthenticatedEndpoint<User>.me.authenticationFails(with: [])
        let error = await networkError { try await account.request(endpoint) }
        #expect(error?.code == .unauthorized)
        #expect(server.refreshes == 0)
    }

    // MARK: N4

    @Test(.rule("N4"))
    func `if the caller that started a refresh is cancelled, the others are not affected`() async throws {
        let latch = AsyncLatch()
        let clock = ManualClock()
        let server = try TokenServer { $0.refreshLatch = latch }
        let account = try account(on: server, tokens: .named("access-0", expiresIn: .zero), clock: clock)
        let initiator = Task { try await account.request(.me) }
        await latch.arrivals(atLeast: 1)
        let other = Task { try await account.request(.me) }
        await clock.sleepers(atLeast: 3)
        initiator.cancel()
        await #expect(throws: CancellationError.self) { try await initiator.value }
        latch.open()
        #expect(try await other.value == User(name: "Ada"))
        #expect(server.refreshes == 1)
        #expect(server.tokensSeen == ["access-1"])
    }

    @Test(.rule("N4")) func `a refresh without waiting callers still saves its tokens`() async throws {
        let latch = AsyncLatch()
        let vault = SignallingVault()
        let server = try TokenServer { $0.refreshLatch = latch }
        let account = try account(on: server, tokens: .named("access-0", expiresIn: .zero), vault: vault)
        let only = Task { try await account.request(.me) }
        await latch.arrivals(atLeast: 1)
        only.cancel()
        await #expect(throws: CancellationError.self) { try await only.value }
        latch.open()
        await vault.saved.wait { $0.map(\.access.rawValue) == ["access-1"] }
        #expect(try await account.request(.me) == User(name: "Ada"))
        #expect(server.refreshes == 1)
    }

    @Test(.rule("N4")) func `a caller that is cancelled before its wait throws CancellationError`() async throws {
        let latch = AsyncLatch()
        let start = AsyncLatch()
        let server = try TokenServer { $0.refreshLatch = latch }
        let account = try account(on: server, tokens: .named("access-0", expiresIn: .zero))
        async let first = account.request(.me)
        await latch.arrivals(atLeast: 1)
        let request = Task {
            await start.wait()
            return try await account.request(.me)
        }
        request.cancel()
        start.open()
        await #expect(throws: CancellationError.self) { try await request.value }
        latch.open()
        _ = try await first
    }

    @Test(.rule("N4"))
    func `a refresh does not have the task-local values of the request that started it`() async throws {
        enum Trace {
            @TaskLocal static var id = "none"
        }
        let traces = Watched<[String: String]>([:])
        let server = try TokenServer()
        let service = try server.http.service { options in
            options.observe = { observation in traces.update { $0[observation.path] = Trace.id } }
        }
        let account = service.account()
        _ = try await Trace.$id.withValue("caller") { try await account.request(.me) }
        #expect(traces.value == ["/me": "caller", "/token/refresh": "none"])
    }

    @Test(.rule("N8")) func `a request that waits for a refresh times out, and the refresh continues`() async throws {
        let latch = AsyncLatch()
        let clock = ManualClock()
        let vault = SignallingVault()
        let server = try TokenServer { $0.refreshLatch = latch }
        let tokens = NetworkTokens.named("access-0", expiresIn: .zero)
        let account = try account(on: server, tokens: tokens, vault: vault, clock: clock)
        let request = Task { await networkError { try await account.request(.me.timeout(.seconds(1))) } }
        await latch.arrivals(atLeast: 1)
        await clock.sleepers(atLeast: 2)
        clock.advance(by: .seconds(1))
        #expect(await request.value?.code == .timedOut)
        latch.open()
        await vault.saved.wait { $0.count == 1 }
    }

    // MARK: N5

    @Test(.rule("N5")) func `a refresh is sent without the expired token and does not wait for itself`() async throws {
        let server = try TokenServer()
        let account = try account(on: server, tokens: .named("access-0", expiresIn: .zero))
        _ = try await account.request(.me)
        let refresh = try #require(server.http.requests.first)
        #expect(refresh.target == "/token/refresh")
        #expect(refresh.bearer == nil)
    }

    // MARK: Failures

    @Test(arguments: [400, 401])
    func `a refresh that the server refuses ends the session once and empties its vault`(status: Int) async throws {
        let events = Watched<[NetworkError]>([])
        let vault = SignallingVault(.named("access-0"))
        let server = try TokenServer { $0.refreshFailure = .json(#"{"error":"invalid_grant"}"#, status: status) }
        let account = try account(on: server, tokens: .named("access-0"), vault: vault) { event in
            events.update { $0.append(event) }
        }
        for _ in 0..<2 {
            let error = try #require(await networkError { try await account.request(.me) })
            #expect(error.code == .sessionExpired)
            #expect(
                error.description == """
                    GET /me: The session has ended because its tokens are no longer accepted. Sign in again.
                    """
            )
        }
        #expect(!account.isSignedIn)
        #expect(server.refreshes == 1)
        #expect(events.value.map(\.code) == [.sessionExpired])
        #expect((events.value.first?.cause as? NetworkError)?.endpoint == "POST /token/refresh")
        await vault.clears.wait { $0 == 1 }
        #expect(await vault.load() == nil)
    }

    @Test(.rule("N7"))
    func `a temporary refresh failure fails the waiting callers and is not repeated at once`() async throws {
        let clock = ManualClock()
        let server = try TokenServer { $0.refreshFailure = .status(503) }
        let account = try account(on: server, tokens: .named("access-0", expiresIn: .zero), clock: clock)
        // The second request fails at once, because the pause is at least half a second.
        for _ in 0..<2 {
            let error = try #require(await networkError { try await account.request(.me) })
            #expect(error.code == .refreshUnavailable)
            #expect((error.cause as? NetworkError)?.code == .serverFailed)
        }
        #expect(server.refreshes == 1)
        #expect(account.isSignedIn)
        server.state.update { $0.refreshFailure = nil }
        clock.advance(by: .seconds(1))
        #expect(try await account.request(.me) == User(name: "Ada"))
        #expect(server.refreshes == 2)
    }

    @Test(.rule("N7"), arguments: 1...12)
    func `the pause after a failed refresh doubles up to a minute, and is partly random`(failures: Int) {
        let longest = Duration.seconds(min(60, 1 << (failures - 1)))
        let pauses = (0..<100).map { _ in RefreshFailure.pause(after: URLError(.timedOut), failures: failures) }
        #expect(!pauses.contains { $0 < longest / 2 || $0 > longest })
        #expect(Set(pauses).count > 1)
    }

    @Test(.rule("N7")) func `a refresh is not repeated before the time that the server asks for`() async throws {
        let clock = ManualClock()
        let server = try TokenServer {
            $0.refreshFailure = ScriptedServer.Reply(status: 429, headers: ["Retry-After": "120"])
        }
        let account = try account(on: server, tokens: .named("access-0", expiresIn: .zero), clock: clock)
        let error = await networkError { try await account.request(.me) }
        #expect((error?.cause as? NetworkError)?.retryAfter == .seconds(120))
        server.state.update { $0.refreshFailure = nil }
        clock.advance(by: .seconds(120))
        #expect(await networkError { try await account.request(.me) }?.code == .refreshUnavailable)
        clock.advance(by: .seconds(1))
        #expect(try await account.request(.me) == User(name: "Ada"))
        #expect(server.refreshes == 2)
    }

    @Test(.rule("N7")) func `a pause that the server asks for is limited to an hour`() {
        var error = NetworkError(.serverFailed, message: "")
        error.retryAfter = .seconds(1_000_000)
        #expect(RefreshFailure.pause(after: error, failures: 1) <= .seconds(3601))
    }

    @Test(
        .rule("N7"),
        arguments: [
            (403, "invalid_grant"), (404, "invalid_grant"), (429, "invalid_grant"), (500, "invalid_grant"),
            (400, "invalid_client"), (400, "invalid_request"), (400, "unauthorized_client"),
        ]
    )
    func `if a refresh fails with another status or an error of the app, the session stays`(
        status: Int,
        error: String
    ) async throws {
        let server = try TokenServer { $0.refreshFailure = .json(#"{"error":"\#(error)"}"#, status: status) }
        let account = try account(on: server, tokens: .named("access-0", expiresIn: .zero))
        #expect(await networkError { try await account.request(.me) }?.code == .refreshUnavailable)
        #expect(account.isSignedIn)
    }

    @Test func `a stale access token without a refresh token is used until the server refuses the token`() async throws
    {
        let events = SessionLog()
        let server = try TokenServer(accepting: ["access-0"])
        let tokens = NetworkTokens.named("access-0", refresh: nil, expiresIn: .zero)
        let account = try account(on: server, tokens: tokens, onEvent: events.onEvent)
        _ = try await account.request(.me)
        server.state.update { $0.accepted = [] }
        let error = await networkError { try await account.request(.me) }
        #expect(error?.code == .sessionExpired)
        #expect(events.value == [.sessionExpired])
        #expect(server.refreshes == 0)
    }

    @Test(.rule("N10")) func `a token that is already expired when it is issued is used until a 401`() async throws {
        let server = try TokenServer { $0.expiresIn = 0 }
        let account = try account(on: server, tokens: .named("access-0", expiresIn: .zero))
        for _ in 0..<3 { _ = try await account.request(.me) }
        #expect(server.refreshes == 1)
    }

    @Test(.rule("N10")) func `the age of tokens from a vault follows the calendar`() async throws {
        let server = try TokenServer(accepting: ["access-0"])
        let tokens = NetworkTokens(
            access: AccessToken(rawValue: "access-0"),
            refresh: RefreshToken(rawValue: "refresh-1"),
            expiresIn: .seconds(900),
            receivedAt: Date(timeIntervalSinceNow: -900)
        )
        let account = try account(on: server, tokens: tokens)
        _ = try await account.request(.me)
        #expect(server.tokensSeen == ["access-1"])
    }
}
