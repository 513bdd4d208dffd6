import BackplaneConformance
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SignOutTests {
    @Test(.rule("N9")) func `signing out takes effect before its first suspension`() async throws {
        let clearing = AsyncLatch()
        let server = try TokenServer(accepting: ["access-0"])
        let account = try server.http.account(vault: SignallingVault(.named("access-0"), clearLatch: clearing))
        let signOut = Task { try await account.signOut() }
        await clearing.arrivals(atLeast: 1)
        #expect(!account.isSignedIn)
        let error = try #require(await networkError { try await account.request(.me) })
        #expect(error.code == .signedOut)
        #expect(
            error.description == """
                GET /me: No user is signed in, or the user of this request has signed out. Sign in and try again.
                """
        )
        #expect(server.http.requests.isEmpty)
        clearing.open()
        try await signOut.value
    }

    @Test(.rule("N22"))
    func `a request that is in the transport when its user signs out is cancelled there`() async throws {
        let transport = LeavingTransport()
        let account = try account(over: transport)
        // At this moment, the request has passed the last check of its user.
        transport.onSend.update { $0 = { _ = account.beginSignOut(revokingWith: nil) } }
        #expect(await networkError { try await account.request(.me) }?.code == .signedOut)
        #expect(transport.areCancelled.value == [true])
    }

    @Test(.rule("N9", "N13"))
    func `a late response reaches no middleware, even from a transport that did not stop`()
        async throws
    {
        let transport = LeavingTransport(responds: true)
        let (hasNext, hasEnded) = (Watched(false), AsyncLatch())
        let account = try account(over: transport) {
            $0.intercept { request, body, _, next in
                defer { hasEnded.open() }
                let response = try await next(request, body)
                hasNext.update { $0 = true }
                return response
            }
        }
        transport.onSend.update { $0 = { _ = account.beginSignOut(revokingWith: nil) } }
        #expect(await networkError { try await account.request(.me) }?.code == .signedOut)
        await hasEnded.wait()
        #expect(!hasNext.value)
    }

    @Test(.rule("N9", "N13"))
    func `a response that a middleware has made is not decoded after a sign-out`() async throws {
        let leave = Watched<@Sendable () -> Void>({})
        let account = try account(over: LeavingTransport()) {
            $0.intercept { _, _, _, _ in
                leave.value()
                return (HTTPResponse(status: .ok), Data(#"{"name":"Ada"}"#.utf8))
            }
        }
        leave.update { $0 = { _ = account.beginSignOut(revokingWith: nil) } }
        let isDecoded = Watched(false)
        let endpoint = AuthenticatedEndpoint<User>.me.noting(isDecoded)
        #expect(await networkError { try await account.request(endpoint) }?.code == .signedOut)
        // The request is over for its caller before it is over itself.
        for _ in 0..<1000 { await Task.yield() }
        #expect(!isDecoded.value)
    }

    @MainActor @Test(.rule("N9"))
    func `a response is discarded if its user signs out before the caller continues`() async throws {
        let latch = AsyncLatch()
        let server = try ScriptedServer.waiting(for: latch)
        let account = try server.account()
        let isDecoded = Watched(false)
        let endpoint = AuthenticatedEndpoint<User>.me.noting(isDecoded)
        let request = Task { @MainActor in await networkError { try await account.request(endpoint) } }
        await server.requests(atLeast: 1)
        latch.open()
        // The caller cannot continue while its actor is busy. The response arrives elsewhere.
        while !isDecoded.value {}
        for _ in 0..<100_000 { _ = isDecoded.value }
        _ = account.beginSignOut(revokingWith: nil)
        #expect(await request.value?.code == .signedOut)
    }

    private func account(
        over transport: LeavingTransport,
        _ configure: (inout NetworkOptions) -> Void = { _ in }
    ) throws -> AuthenticatedNetworkController {
        try transport.service(configure).account()
    }

    #if AsyncHTTPClient
        @Test(.rule("D41"))
        func `a transport does not send a request again after its user has signed out`() async throws {
            let latch = AsyncLatch()
            // The server closes the connection instead of a response. After that, a transport may
            // send an idempotent request again.
            let server = try ScriptedServer(exchange: { _, connection in
                await latch.wait()
                connection.hangUp()
            })
            let service = try NonAuthenticatedNetworkController(
                baseURL: server.baseURL,
                transport: TransportKind.asyncHTTPClient.make()
            )
            let account = service.account()
            let request = Task {
                await networkError { try await account.request(AuthenticatedEndpoint<Void>(.put("me"))) }
            }
            await server.requests(atLeast: 1)
            try await account.signOut()
            latch.open()
            #expect(await request.value?.code == .signedOut)
            await server.hangUps(atLeast: 1)
            #expect(server.requests.compactMap(\.bearer) == ["access-0"])
        }
    #endif

    @Test(.rule("N9"), arguments: [false, true])
    func `signing out revokes the tokens on the server and empties the vault`(isCancelled: Bool) async throws {
        let vault = MemoryTokenVault(.named("access-0"))
        let server = try TokenServer(accepting: ["access-0"])
        let account = try server.http.account(vault: vault)
        let latch = AsyncLatch()
        let signOut = Task {
            await latch.wait()
            try await account.signOut(revokingWith: { .revoke($0) })
        }
        if isCancelled { signOut.cancel() }
        latch.open()
        try await signOut.value
        #expect(server.http.requests.map(\.target) == ["/token/revoke"])
        #expect(server.revoked == ["refresh-1"])
        #expect(await vault.load() == nil)
        try await account.signOut(revokingWith: { .revoke($0) })
        #expect(server.http.requests.count == 1)
    }

    @Test(.rule("N12")) func `a request of the previous user is never sent with the next user's token`() async throws {
        let latch = AsyncLatch()
        let server = try ScriptedServer.waiting(for: latch, .status(401))
        let account = try server.account(tokens: .named("access-a"))
        let request = Task { await networkError { try await account.request(.me) } }
        await server.requests(atLeast: 1)
        try await account.signIn(with: .named("access-b"))
        latch.open()
        #expect(await request.value?.code == .signedOut)
        #expect(server.requests.compactMap(\.bearer) == ["access-a"])
    }

    @Test func `new tokens are saved before any request uses them`() async throws {
        let saving = AsyncLatch()
        let vault = SignallingVault(saveLatch: saving)
        let server = try TokenServer()
        let account = try server.http.account(vault: vault)
        let request = Task { try await account.request(.me) }
        await saving.arrivals(atLeast: 1)
        #expect(server.tokensSeen == ["access-0"])
        saving.open()
        _ = try await request.value
        #expect(vault.saved.value.map(\.access.rawValue) == ["access-1"])
        #expect(server.tokensSeen == ["access-0", "access-1"])
    }

    @Test func `if tokens were not saved, the user stays signed in despite other tokens`() async throws {
        let server = try TokenServer()
        let account = try server.http.account(vault: SignallingVault(.named("access-0"), fails: true))
        // The session finds its own tokens in the vault.
        _ = try await account.request(.me)
        await #expect(throws: SignallingVault.Failure.self) {
            try await account.signIn(with: .named("access-b", refresh: "refresh-b"))
        }
        #expect(try await account.request(.me) == User(name: "Ada"))
        #expect(server.refreshes == 2)
    }

    @Test func `a vault failure is reported, and the session continues`() async throws {
        let events = Watched<[NetworkError]>([])
        let server = try TokenServer()
        let account = try server.http.account(vault: SignallingVault(fails: true)) { event in
            events.update { $0.append(event) }
        }
        #expect(try await account.request(.me) == User(name: "Ada"))
        // The first failure is the note of the started refresh, the second the save of the new
        // tokens.
        #expect(events.value.map(\.code) == [.vaultFailed, .vaultFailed])
        #expect(events.value.first?.cause is SignallingVault.Failure)
        await #expect(throws: SignallingVault.Failure.self) { try await account.signOut(revokingWith: { .revoke($0) }) }
        #expect(!account.isSignedIn)
        #expect(server.http.requests.last?.target == "/token/revoke")
    }
}

/// A transport that runs a closure when it gets a request, sends nothing, and ignores that it is
/// cancelled.
private final class LeavingTransport: NetworkTransport {
    private let responds: Bool
    let onSend = Watched<@Sendable () -> Void>({})
    /// Whether each request was cancelled after the closure.
    let areCancelled = Watched<[Bool]>([])

    init(responds: Bool = false) {
        self.responds = responds
    }

    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        onSend.value()
        areCancelled.update { $0.append(Task.isCancelled) }
        guard responds else { throw URLError(.notConnectedToInternet) }
        return (HTTPResponse(status: .ok), Data(#"{"name":"Ada"}"#.utf8))
    }
}
