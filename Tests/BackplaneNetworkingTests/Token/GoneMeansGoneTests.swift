import BackplaneConcurrency
import BackplaneConformance
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneNetworking

@Suite(.timeLimit(.minutes(5)))
struct GoneMeansGoneTests {
    @Test(.rule("N9", "N13"), arguments: [true, false])
    func `a sign-out cancels a refresh that was not sent, and empties the vault`(
        beforeNote: Bool
    ) async throws {
        let latch = AsyncLatch()
        let tokens = NetworkTokens.named("access-0")
        let vault =
            beforeNote ? SignallingVault(tokens, loadLatch: latch) : SignallingVault(tokens, noteLatch: latch)
        let server = try TokenServer()
        let account = try server.http.account(vault: vault)
        let request = Task { await networkError { try await account.request(.me) } }
        await latch.arrivals(atLeast: 1)
        let signOut = Task { try await account.signOut() }
        #expect(await request.value?.code == .signedOut)
        latch.open()
        try await signOut.value
        await vault.refreshes.wait { $0 >= 1 }
        #expect(await vault.load() == nil)
        #expect(server.refreshes == 0)
    }

    @Test(.rule("N13"))
    func `signing out during another process's save empties the vault and ends the other session`() async throws {
        let directory = TemporaryDirectory()
        let file = directory.url.appending(path: "tokens.json")
        let tokens = NetworkTokens.named("access-0", refresh: "refresh-1")
        try await FileTokenVault(file: file).save(tokens)
        let saving = AsyncLatch()
        let server = try TokenServer()
        let events = SessionLog()
        let first = try server.http.account(
            tokens: try #require(await FileTokenVault(file: file).load()),
            vault: InterruptedVault(
                FileTokenVault(file: file),
                beforeSave: { if $0.history?.isBeingRefreshed != true { await saving.wait() } }
            ),
            onEvent: events.onEvent
        )
        let second = try server.http.account(
            tokens: try #require(await FileTokenVault(file: file).load()),
            vault: FileTokenVault(file: file)
        )

        let request = Task { try await first.request(.me) }
        await saving.arrivals(atLeast: 1)
        let signOut = Task { try await second.signOut() }
        while second.isSignedIn { await Task.yield() }
        saving.open()
        #expect(try await request.value == User(name: "Ada"))
        try await signOut.value
        #expect(try await FileTokenVault(file: file).load() == nil)

        server.state.update { $0.accepted = [] }
        #expect(await networkError { try await first.request(.me) }?.code == .sessionExpired)
        #expect(try await FileTokenVault(file: file).load() == nil)
        #expect(events.value == [.sessionExpired])
    }

    @Test(.rule("N13"), arguments: 1...14)
    func `no request leaves after signing out, at any moment`(reading: Int) async throws {
        for tokens: NetworkTokens in [.named("access-0"), .named("access-0", expiresIn: .zero)] {
            let hook = ReadingHook()
            let clock = ManualClock { hook.noteReading() }
            let transport = WatchedTransport()
            var options = NetworkOptions()
            options.clock = clock
            let performer = NetworkRequestPerformer(
                base: try BaseURL(try #require(URL(string: "https://example.com")), allowsInsecureHTTP: false),
                transport: transport,
                options: options
            )
            let session = TokenSession(
                tokens: tokens,
                vault: MemoryTokenVault(tokens),
                clock: clock,
                timer: performer.timer,
                onEvent: { _ in },
                fetch: { token, scope in
                    try await ReadingHook.$isOnTheWay.withValue(true) {
                        try await performer.perform(NonAuthenticatedEndpoint<NetworkTokens>.refresh(token), for: scope)
                    }
                }
            )
            transport.isSignedIn.withLock { $0 = { session.isSignedIn } }
            hook.set(atReading: reading) { _ = session.endEpoch { _, _ in } }
            let scope = UserScope(
                session: session,
                request: session.makeRequest(),
                partition: .session(UUID(), epoch: 0)
            )
            _ = try? await ReadingHook.$isOnTheWay.withValue(true) {
                try await performer.perform(AuthenticatedEndpoint<User>.me, for: scope)
            }
            #expect(transport.late.withLock { $0 } == [])
            transport.isSignedIn.withLock { $0 = { true } }
        }
    }

    @Test(.rule("N6", "N13")) func `tokens that are being saved during signing out are removed and revoked`()
        async throws
    {
        let saving = AsyncLatch()
        let server = try TokenServer()
        let vault = SignallingVault(.named("access-0"), saveLatch: saving)
        let account = try server.http.account(vault: vault)
        let request = Task { await networkError { try await account.request(.me) } }
        await saving.arrivals(atLeast: 1)
        let signOut = Task { try await account.signOut(revokingWith: { .revoke($0) }) }
        #expect(await request.value?.code == .signedOut)
        saving.open()
        try await signOut.value
        await vault.refreshes.wait { $0 == 1 }
        #expect(server.revoked.sorted() == ["refresh-1", "refresh-2"])
        #expect(vault.saved.value.count == 1)
        #expect(await vault.load() == nil)
    }

    @Test(.rule("N13")) func `signing out revokes the tokens and returns, even if the vault hangs`() async throws {
        let clock = ManualClock()
        let clearing = AsyncLatch()
        let server = try TokenServer(accepting: ["access-0"])
        let account = try server.http.account(
            vault: SignallingVault(.named("access-0"), clearLatch: clearing),
            configure: {
                $0.clock = clock
                $0.timeout = .seconds(1_000_000_000)
            }
        )
        let signOut = Task { await networkError { try await account.signOut(revokingWith: { .revoke($0) }) } }
        await clearing.arrivals(atLeast: 1)
        await server.http.requests(atLeast: 1)
        await run(signOut, on: clock)
        #expect(await signOut.value?.code == .vaultFailed)
        clearing.open()
    }

    @Test(.rule("N13"))
    func `a vault error is reported, even if the sign-out throws the error of the revocation`() async throws {
        let events = SessionLog()
        let server = try ScriptedServer { _ in .status(500) }
        let account = try server.account(
            vault: SignallingVault(fails: true),
            onEvent: events.onEvent
        )
        #expect(await networkError { try await account.signOut(revokingWith: { .revoke($0) }) }?.status == 500)
        #expect(events.value == [.vaultFailed])
    }

    @Test(.rule("N9", "D41")) func `a request that was sent fails at once when its user signs out`() async throws {
        let latch = AsyncLatch()
        let server = try ScriptedServer.waiting(for: latch, .status(204))
        let account = try server.account(configure: { $0.clock = ManualClock() })
        let request = Task { await networkError { try await account.request(.me) } }
        await latch.arrivals(atLeast: 1)
        try await account.signOut()
        #expect(await request.value?.code == .signedOut)
        // The request is not left alone: its connection is closed.
        await server.hangUps(atLeast: 1)
        latch.open()
    }

    @Test(.rule("N13")) func `a refresh continues, even if the vault hangs`() async throws {
        let clock = ManualClock()
        let loading = AsyncLatch()
        let server = try TokenServer()
        let account = try server.http.account(
            vault: SignallingVault(.named("access-0"), loadLatch: loading),
            configure: {
                $0.clock = clock
                $0.timeout = .seconds(1_000_000_000)
            }
        )
        let request = Task { try await account.request(.me) }
        await run(request, on: clock)
        #expect(try await request.value == User(name: "Ada"))
        loading.open()
    }

    /// Advances the clock until the task has ended.
    private func run<Success, Failure>(_ task: Task<Success, Failure>, on clock: ManualClock) async {
        let isOver = Watched(false)
        Task {
            _ = await task.result
            isOver.update { $0 = true }
        }
        while !isOver.value {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
    }

    @Test(.rule("N14")) func `a refreshed token that is refused is never sent again, and every call ends`() async throws
    {
        let server = try ScriptedServer { request in
            request.target == "/me"
                ? .status(401) : .json(#"{"access_token":"\#(UUID())","refresh_token":"refresh"}"#)
        }
        let account = try server.account()
        for _ in 0..<3 {
            #expect(await networkError { try await account.request(.me) }?.code == .unauthorized)
        }
        // The server sees the first request, its retry and one request for each later call. The
        // session knows that the next token was refused.
        let sent = server.requests.filter { $0.target == "/me" }.compactMap(\.bearer)
        #expect(Set(sent).count == sent.count)

        await withTaskGroup { group in
            for _ in 0..<200 {
                group.addTask {
                    let error = await networkError { try await account.request(.me) }
                    #expect(error?.code == .unauthorized)
                }
            }
        }
    }

    @Test(.rule("N15"))
    func `tokens that were never in the vault are refreshed`() async throws {
        let kept = try JSONEncoder().encode(NetworkTokens.named("access-0"))
        let server = try TokenServer()
        let account = try server.http.account(tokens: try JSONDecoder().decode(NetworkTokens.self, from: kept))
        #expect(try await account.request(.me) == User(name: "Ada"))
        #expect(server.refreshes == 1)
    }

    @Test(.rule("N15"))
    func `tokens that were never in the vault do not replace the tokens of another user there`() async throws {
        let server = try TokenServer()
        let vault = MemoryTokenVault(.named("access-b", refresh: "refresh-b"))
        let account = try server.http.account(vault: vault)
        #expect(try await account.request(.me) == User(name: "Ada"))
        #expect(await vault.load()?.access.rawValue == "access-b")
    }

    @Test(.rule("N17")) func `a timeout ends a request, even if a middleware ignores the cancellation`() async throws {
        let clock = ManualClock()
        let latch = AsyncLatch()
        let server = try ScriptedServer { _ in .json(#"{"name":"Ada"}"#) }
        let service = try server.service {
            $0.clock = clock
            // This middleware ignores its cancellation.
            $0.intercept { request, body, _, next in
                await latch.wait()
                return try await next(request, body)
            }
        }
        let request = Task { await networkError { try await service.request(.author(User.ID(rawValue: "ada"))) } }
        await latch.arrivals(atLeast: 1)
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(30))
        #expect(await request.value?.code == .timedOut)
        latch.open()
    }
}

/// An action at the n-th reading of a clock on a request's way to the transport.
///
/// The request's timers read the clock at any moment. Their readings do not count.
private final class ReadingHook: Sendable {
    @TaskLocal static var isOnTheWay = false

    private let state = Locked<(readings: Int, reading: Int, action: @Sendable () -> Void)>((0, 0, {}))

    func set(atReading reading: Int, _ action: @escaping @Sendable () -> Void) {
        state.withLock { $0 = (0, reading, action) }
    }

    func noteReading() {
        guard Self.isOnTheWay else { return }
        let action = state.withLock { state in
            state.readings += 1
            return state.readings == state.reading ? state.action : nil
        }
        action?()
    }
}

/// A transport that records requests that arrive without a signed-in user.
///
/// It accepts every token except the first.
private final class WatchedTransport: NetworkTransport {
    let isSignedIn = Locked<@Sendable () -> Bool>({ true })
    let late = Locked<[String]>([])

    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        let isSignedIn = isSignedIn.withLock { $0 }()
        if !isSignedIn { late.withLock { $0.append(request.path ?? "") } }
        if request.path == "/me" {
            let isGood = request.headerFields[.authorization] == "Bearer access-1"
            return (HTTPResponse(status: isGood ? 200 : 401), Data(#"{"name":"Ada"}"#.utf8))
        }
        return (HTTPResponse(status: 200), Data(#"{"access_token":"access-1","refresh_token":"refresh-2"}"#.utf8))
    }
}
