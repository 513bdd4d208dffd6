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
        let service = try server.http.service { $0.clock = clock }
        return AuthenticatedNetworkController(over: service, tokens: tokens, vault: vault, onEvent: onEvent) {
            .refresh($0)
        }
    }

    @Test func `a request carries the access token`() async throws {
        let server = try TokenServer(accepting: ["access-0"])
        let account = try account(on: server, tokens: .named("access-0"))
        #expect(try await account.request(.me) == User(name: "Ada"))
        #expect(server.tokensSeen == ["access-0"])
        #expect(server.refreshes == 0)
    }

    // MARK: N1

    @Test(.rule("N1")) func `a 401 for a token that was replaced in the meantime is retried without another refresh`()
        async throws
    {
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
        let account = AuthenticatedNetworkController(over: try server.service(), tokens: .named("access-0")) {
            .refresh($0)
        }
        let gate = AsyncLatch()
        async let first = {
            await gate.wait()
            return try await account.request(.me)
        }()
        async let second = {
            await gate.wait()
            return try await account.request(.me)
        }()
        gate.open()
        await late.arrivals(atLeast: 1)
        await server.journal.wait { $0.requests.contains { $0.bearer == "access-1" } }
        late.open()
        #expect(try await [first, second] == [User(name: "Ada"), User(name: "Ada")])
        #expect(server.requests.filter { $0.target == "/token/refresh" }.count == 1)
    }

    // MARK: N2

    @Test(.rule("N2"))
    func `200 concurrent callers with an expired token cause a single refresh and never send that token`() async throws
    {
        let gate = AsyncLatch()
        let clock = ManualClock()
        let server = try TokenServer { $0.refreshGate = gate }
        let account = try account(on: server, tokens: .named("access-0", expiresIn: .zero), clock: clock)
        let users = try await withThrowingTaskGroup(of: User.self) { group in
            for _ in 0..<200 { group.addTask { try await account.request(.me) } }
            // All 200 requests and the refresh are running. Only the refresh has been sent.
            await clock.sleepers(atLeast: 201)
            await gate.arrivals(atLeast: 1)
            #expect(server.tokensSeen.isEmpty)
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(users.count == 200)
        #expect(server.refreshes == 1)
        #expect(server.tokensSeen == Array(repeating: "access-1", count: 200))
    }

    @Test(.rule("N2")) func `a token is replaced shortly before its expiry on the injected clock`() async throws {
        let clock = ManualClock()
        let server = try TokenServer(accepting: ["access-0"])
        let account = try account(on: server, tokens: .named("access-0", expiresIn: .seconds(900)), clock: clock)
        clock.advance(by: .seconds(869))
        _ = try await account.request(.me)
        #expect(server.refreshes == 0)
        clock.advance(by: .seconds(1))
        _ = try await account.request(.me)
        #expect(server.tokensSeen == ["access-0", "access-1"])
    }

    @Test(.rule("N2")) func `a second refresh uses the refresh token of the first refresh`() async throws {
        let server = try TokenServer(accepting: ["access-0"]) { $0.expiresIn = 900 }
        let clock = ManualClock()
        let account = try account(on: server, tokens: .named("access-0", expiresIn: .seconds(900)), clock: clock)
        for _ in 0..<2 {
            clock.advance(by: .seconds(900))
            _ = try await account.request(.me)
        }
        let bodies = server.http.requests.filter { $0.target == "/token/refresh" }.map(\.body)
        #expect(bodies == [#"{"refresh_token":"refresh-1"}"#, #"{"refresh_token":"refresh-2"}"#].map { Data($0.utf8) })
    }

    // MARK: N3

    @Test(.rule("N3")) func `a 401 refreshes the token and sends the same request once more`() async throws {
        let server = try TokenServer()
        let account = try account(on: server, tokens: .named("access-0"))
        #expect(try await account.request(.me) == User(name: "Ada"))
        #expect(server.http.requests.map(\.target) == ["/me", "/token/refresh", "/me"])
        #expect(server.tokensSeen == ["access-0", "access-1"])
    }

    @Test(.rule("N3")) func `a retry sends the same bytes`() async throws {
        let server = try ScriptedServer { request in
            switch request.target {
            case "/token/refresh": .json(#"{"access_token":"access-1"}"#)
            default: .status(request.bearer == "access-1" ? 204 : 401)
            }
        }
        let account = AuthenticatedNetworkController(over: try server.service(), tokens: .named("access-0")) {
            .refresh($0)
        }
        let endpoint = AuthenticatedEndpoint<Void>(.put("todo", body: .json(["a": 1, "b": 2, "c": 3])))
        try await account.request(endpoint)
        let bodies = server.requests.filter { $0.target == "/todo" }.map(\.body)
        #expect(bodies.count == 2)
        #expect(Set(bodies).count == 1)
    }

    @Test(.rule("N3")) func `a second 401 throws unauthorized, and the session continues`() async throws {
        let server = try ScriptedServer { request in
            request.target == "/token/refresh" ? .json(#"{"access_token":"access-1"}"#) : .status(401)
        }
        let account = AuthenticatedNetworkController(over: try server.service(), tokens: .named("access-0")) {
            .refresh($0)
        }
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

    @Test(.rule("N3")) func `an endpoint decides which 401 is about the token`() async throws {
        let server = try TokenServer()
        let account = try account(on: server, tokens: .named("access-0"))
        let endpoint = AuthenticatedEndpoint<User>.me.authenticationFails(with: [])
        let error = await networkError { try await account.request(endpoint) }
        #expect(error?.code == .unauthorized)
        #expect(server.refreshes == 0)
    }

    // MARK: N4

    @Test(.rule("N4")) func `cancelling the caller that started a refresh does not affect the other callers`()
        async throws
    {
        let gate = AsyncLatch()
        let clock = ManualClock()
        let server = try TokenServer { $0.refreshGate = gate }
        let account = try account(on: server, tokens: .named("access-0", expiresIn: .zero), clock: clock)
        let initiator = Task { try await account.request(.me) }
        await gate.arrivals(atLeast: 1)
        let other = Task { try await account.request(.me) }
        await clock.sleepers(atLeast: 3)
        initiator.cancel()
        await #expect(throws: CancellationError.self) { try await initiator.value }
        gate.open()
        #expect(try await other.value == User(name: "Ada"))
        #expect(server.refreshes == 1)
        #expect(server.tokensSeen == ["access-1"])
    }

    @Test(.rule("N4")) func `a refresh without waiting callers still saves its tokens`() async throws {
        let gate = AsyncLatch()
        let vault = SignallingVault()
        let server = try TokenServer { $0.refreshGate = gate }
        let account = try account(on: server, tokens: .named("access-0", expiresIn: .zero), vault: vault)
        let only = Task { try await account.request(.me) }
        await gate.arrivals(atLeast: 1)
        only.cancel()
        await #expect(throws: CancellationError.self) { try await only.value }
        gate.open()
        await vault.saved.wait { $0.map(\.access.rawValue) == ["access-1"] }
        #expect(try await account.request(.me) == User(name: "Ada"))
        #expect(server.refreshes == 1)
    }

    @Test(.rule("N4")) func `a caller that is cancelled before its wait throws CancellationError`() async throws {
        let gate = AsyncLatch()
        let start = AsyncLatch()
        let server = try TokenServer { $0.refreshGate = gate }
        let account = try account(on: server, tokens: .named("access-0", expiresIn: .zero))
        async let first = account.request(.me)
        await gate.arrivals(atLeast: 1)
        let request = Task {
            await start.wait()
            return try await account.request(.me)
        }
        request.cancel()
        start.open()
        await #expect(throws: CancellationError.self) { try await request.value }
        gate.open()
        _ = try await first
    }

    @Test(.rule("N4")) func `a refresh does not run in the task-local context of the request that caused the refresh`()
        async throws
    {
        enum Trace {
            @TaskLocal static var id = "none"
        }
        let traces = Watched<[String: String]>([:])
        let server = try TokenServer()
        let service = try server.http.service { options in
            options.observe = { observation in traces.update { $0[observation.path] = Trace.id } }
        }
        let account = AuthenticatedNetworkController(over: service, tokens: .named("access-0")) { .refresh($0) }
        _ = try await Trace.$id.withValue("caller") { try await account.request(.me) }
        #expect(traces.value == ["/me": "caller", "/token/refresh": "none"])
    }

    @Test(.rule("N8")) func `a request that waits for a refresh times out, and the refresh continues`() async throws {
        let gate = AsyncLatch()
        let clock = ManualClock()
        let vault = SignallingVault()
        let server = try TokenServer { $0.refreshGate = gate }
        let account = try account(
            on: server,
            tokens: .named("access-0", expiresIn: .zero),
            vault: vault,
            clock: clock
        )
        var hasty = AuthenticatedEndpoint<User>.me
        hasty.request.timeout = .seconds(1)
        let request = Task { [hasty] in await networkError { try await account.request(hasty) } }
        await gate.arrivals(atLeast: 1)
        await clock.sleepers(atLeast: 2)
        clock.advance(by: .seconds(1))
        #expect(await request.value?.code == .timedOut)
        gate.open()
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
    func `a refresh that the server refuses ends the session once`(status: Int) async throws {
        let events = Watched<[NetworkError]>([])
        let vault = MemoryTokenVault(.named("access-0"))
        let server = try TokenServer { $0.refreshFailure = .json(#"{"error":"invalid_grant"}"#, status: status) }
        let account = try account(on: server, tokens: .named("access-0"), vault: vault) { event in
            events.update { $0.append(event) }
        }
        for _ in 0..<2 {
            let error = try #require(await networkError { try await account.request(.me) })
            #expect(error.code == .sessionExpired)
            #expect(
                error.description == """
                    GET /me: The session has ended because its tokens are no longer accepted. Log in again.
                    """
            )
        }
        #expect(!account.isSignedIn)
        #expect(server.refreshes == 1)
        #expect(events.value.map(\.code) == [.sessionExpired])
        #expect((events.value.first?.cause as? NetworkError)?.endpoint == "POST /token/refresh")
    }

    @Test func `a session that expires empties its vault`() async throws {
        let vault = SignallingVault(.named("access-0"))
        let server = try TokenServer { $0.refreshFailure = .status(400) }
        let account = try account(on: server, tokens: .named("access-0"), vault: vault)
        _ = await networkError { try await account.request(.me) }
        await vault.clears.wait { $0 == 1 }
        #expect(await vault.load() == nil)
    }

    @Test(.rule("N7")) func `a temporary refresh failure fails the waiting callers and is not repeated at once`()
        async throws
    {
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
    func `the pause after a failed refresh doubles up to a minute, and half of the pause is random`(failures: Int) {
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

    @Test(.rule("N7"), arguments: [403, 404, 429, 500])
    func `a refresh failure with a status other than 400 and 401 keeps the session`(status: Int) async throws {
        let server = try TokenServer { $0.refreshFailure = .json(#"{"error":"invalid_grant"}"#, status: status) }
        let account = try account(on: server, tokens: .named("access-0", expiresIn: .zero))
        #expect(await networkError { try await account.request(.me) }?.code == .refreshUnavailable)
        #expect(account.isSignedIn)
    }

    @Test(.rule("N7"), arguments: ["invalid_client", "invalid_request", "unauthorized_client"])
    func `a refresh that is refused because of an app error keeps the session`(problem: String) async throws {
        let server = try TokenServer { $0.refreshFailure = .json(#"{"error":"\#(problem)"}"#, status: 400) }
        let account = try account(on: server, tokens: .named("access-0", expiresIn: .zero))
        #expect(await networkError { try await account.request(.me) }?.code == .refreshUnavailable)
        #expect(account.isSignedIn)
    }

    @Test func `a stale access token without a refresh token is used until the server refuses the token`() async throws
    {
        let events = Watched<[NetworkError.Code]>([])
        let server = try TokenServer(accepting: ["access-0"])
        let account = try account(on: server, tokens: .named("access-0", refresh: nil, expiresIn: .zero)) { event in
            events.update { $0.append(event.code) }
        }
        _ = try await account.request(.me)
        server.state.update { $0.accepted = [] }
        let error = await networkError { try await account.request(.me) }
        #expect(error?.code == .sessionExpired)
        #expect(events.value == [.sessionExpired])
        #expect(server.refreshes == 0)
    }

    @Test(.rule("N10")) func `a token that is already expired when issued is used until a 401`() async throws {
        let server = try TokenServer { $0.expiresIn = 0 }
        let account = try account(on: server, tokens: .named("access-0", expiresIn: .zero))
        for _ in 0..<3 { _ = try await account.request(.me) }
        #expect(server.refreshes == 1)
    }

    @Test(.rule("N10")) func `tokens from a vault have the age that the calendar says`() async throws {
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
