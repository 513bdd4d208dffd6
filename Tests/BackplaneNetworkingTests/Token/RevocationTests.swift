import BackplaneConformance
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Sign-outs whose request carries the access token of the user who leaves.
@Suite(.timeLimit(.minutes(5)), .rule("N36"))
struct RevocationTests {
    private let vault = MemoryTokenVault(.named("access-0"))

    @Test(arguments: [false, true])
    func `the request carries the access token of the user who has signed out`(isCancelled: Bool) async throws {
        let server = try TokenServer(accepting: ["access-0"])
        let account = try server.http.account(vault: vault)
        let latch = AsyncLatch()
        let signOut = Task {
            await latch.wait()
            try await account.signOut(revokingWith: .logout)
        }
        if isCancelled { signOut.cancel() }
        latch.open()
        try await signOut.value
        #expect(server.http.logouts == ["access-0"])
        #expect(!account.isSignedIn)
        #expect(await vault.load() == nil)
        try await account.signOut(revokingWith: .logout)
        #expect(server.http.requests.count == 1)
    }

    @Test(.rule("N12"), arguments: [false, true])
    func `a sign-in during the request neither ends it nor gives it a token`(isSent: Bool) async throws {
        let latch = AsyncLatch()
        let server = try ScriptedServer { request in
            if isSent, request.target == "/logout" { await latch.wait() }
            return .json(#"{"name":"Ada"}"#)
        }
        let service = try server.service {
            $0.intercept { request, body, _, next in
                // The token is added after the middlewares.
                if !isSent, request.path == "/logout" { await latch.wait() }
                return try await next(request, body)
            }
        }
        let account = service.account(vault: vault)
        let signOut = Task { try await account.signOut(revokingWith: .logout) }
        await latch.arrivals(atLeast: 1)
        try await account.signIn(with: .named("access-b", refresh: "refresh-b"))
        #expect(try await account.request(.me) == User(name: "Ada"))
        latch.open()
        try await signOut.value
        #expect(server.logouts == ["access-0"])
        #expect(account.isSignedIn)
        #expect(await vault.load()?.access.rawValue == "access-b")
    }

    @Test func `a refused access token is not refreshed, and the user stays signed out`() async throws {
        let events = SessionLog()
        let server = try ScriptedServer { _ in .status(401) }
        let account = try server.account(vault: vault, onEvent: events.onEvent)
        let error = try #require(await networkError { try await account.signOut(revokingWith: .logout) })
        #expect(error.code == .unauthorized)
        #expect(error.endpoint == "POST /logout")
        #expect(!error.mayHaveArrived)
        #expect(server.requests.map(\.target) == ["/logout"])
        #expect(!account.isSignedIn)
        #expect(await vault.load() == nil)
        #expect(events.value.isEmpty)
    }

    @Test(.rule("N14")) func `a token that the server has refused before is not sent`() async throws {
        let server = try TokenServer { $0.refreshFailure = .status(503) }
        let account = try server.http.account(vault: vault)
        #expect(await networkError { try await account.request(.me) }?.code == .refreshUnavailable)
        let error = await networkError { try await account.signOut(revokingWith: .logout) }
        #expect(error?.code == .unauthorized)
        #expect(error?.endpoint == "POST /logout")
        #expect(server.http.logouts.isEmpty)
        #expect(await vault.load() == nil)
    }

    @Test(.rule("N13")) func `the tokens of a late refresh end the session, too`() async throws {
        let latch = AsyncLatch()
        let server = try TokenServer { $0.refreshLatch = latch }
        let account = try server.http.account(tokens: .named("access-a", expiresIn: .zero))
        let request = Task { await networkError { try await account.request(.me) } }
        await latch.arrivals(atLeast: 1)
        try await account.signOut(revokingWith: .logout)
        #expect(await request.value?.code == .signedOut)
        latch.open()
        await server.http.requests(atLeast: 3)
        #expect(server.http.logouts == ["access-a", "access-1"])
        #expect(!account.isSignedIn)
    }

    @Test(.rule("N14", "N21")) func `a refused token that a late refresh repeats is not sent`() async throws {
        let latch = AsyncLatch()
        let events = Watched<[NetworkError.Code]>([])
        let server = try TokenServer { state in
            state.refreshLatch = latch
            state.refreshFailure = .json(#"{"access_token":"access-a","refresh_token":"refresh-2"}"#)
        }
        let account = try server.http.account(tokens: .named("access-a")) { event in
            events.update { $0.append(event.code) }
        }
        let request = Task { await networkError { try await account.request(.me) } }
        await latch.arrivals(atLeast: 1)
        #expect(await networkError { try await account.signOut(revokingWith: .logout) }?.code == .unauthorized)
        #expect(await request.value?.code == .signedOut)
        latch.open()
        await events.wait { !$0.isEmpty }
        #expect(events.value == [.revocationFailed])
        #expect(server.http.logouts.isEmpty)
    }

    @Test func `without a server the user is signed out, and the error says so`() async throws {
        let transport = UnreachableTransport()
        let account = try transport.service { _ in }.account(vault: vault)
        let error = await networkError { try await account.signOut(revokingWith: .logout) }
        #expect(error?.code == .transportFailed)
        #expect(!account.isSignedIn)
        #expect(await vault.load() == nil)
    }

    @Test(.rule("N17")) func `a slow server delays neither the vault nor the end by more than the timeout`()
        async throws
    {
        let clock = ManualClock()
        let latch = AsyncLatch()
        let server = try ScriptedServer.waiting(for: latch)
        let account = try server.account(vault: vault, configure: { $0.clock = clock })
        let signOut = Task { await networkError { try await account.signOut(revokingWith: .logout) } }
        await server.requests(atLeast: 1)
        #expect(!account.isSignedIn)
        while await vault.load() != nil { await Task.yield() }
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(30))
        #expect(await signOut.value?.code == .timedOut)
        latch.open()
    }

    @Test func `a cached response of another user ends no session`() async throws {
        let logout = AuthenticatedEndpoint<Void>(.get("logout")).cached(for: .seconds(60))
        let server = try ScriptedServer { _ in .status(200) }
        let service = try server.service()
        for user in ["access-a", "access-b"] {
            try await service.account(tokens: .named(user)).signOut(revokingWith: logout)
        }
        #expect(server.logouts == ["access-a", "access-b"])
    }
}

extension ScriptedServer {
    /// The access tokens of the requests that end a session, in order of arrival.
    fileprivate var logouts: [String] { requests.filter { $0.target == "/logout" }.map { $0.bearer ?? "none" } }
}

/// A transport that finds no server.
private struct UnreachableTransport: NetworkTransport {
    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        throw URLError(.cannotConnectToHost)
    }
}
