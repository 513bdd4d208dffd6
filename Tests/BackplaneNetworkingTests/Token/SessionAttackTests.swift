import BackplaneConformance
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneNetworking

/// Known failures of token refreshes in other implementations, each in its own test.
///
/// `SharedVaultTests` tests two processes and a kill. `CompilerTests` tests that a refresh through
/// the authenticated controller does not compile.
@Suite(.timeLimit(.minutes(5)))
struct SessionAttackTests {
    private func account(
        on server: TokenServer,
        tokens: NetworkTokens = .named("access-a"),
        vault: any TokenVault = MemoryTokenVault(),
        clock: ManualClock = ManualClock(),
        onEvent: @escaping @Sendable (NetworkError) -> Void = { _ in }
    ) throws -> AuthenticatedNetworkController {
        try server.http.account(tokens: tokens, vault: vault, onEvent: onEvent) { $0.clock = clock }
    }

    @Test(.rule("N6", "N9", "N13"))
    func `a late refresh after signing out does not restore the session, and its tokens are revoked`() async throws {
        let latch = AsyncLatch()
        let vault = SignallingVault(.named("access-a"))
        let server = try TokenServer { $0.refreshLatch = latch }
        let account = try account(on: server, vault: vault)
        let request = Task { await networkError { try await account.request(.me) } }
        await latch.arrivals(atLeast: 1)
        try await account.signOut(revokingWith: { .revoke($0) })
        #expect(await request.value?.code == .signedOut)
        latch.open()
        await vault.refreshes.wait { $0 == 1 }
        #expect(server.refreshes == 1)
        #expect(server.revoked == ["refresh-1", "refresh-2"])
        #expect(vault.saved.value.isEmpty)
        #expect(await vault.load() == nil)
        #expect(!account.isSignedIn)
        #expect(await networkError { try await account.request(.me) }?.code == .signedOut)
        #expect(server.tokensSeen == ["access-a"])
    }

    @Test(.rule("N6", "N12"), arguments: [false, true])
    func `a login of user B during the refresh of user A keeps the tokens of user B`(isRefused: Bool) async throws {
        let events = SessionLog()
        let latch = AsyncLatch()
        let vault = SignallingVault(.named("access-a"))
        let server = try TokenServer(accepting: ["access-b"]) { state in
            state.refreshLatch = latch
            if isRefused { state.refreshFailure = .json(#"{"error":"invalid_grant"}"#, status: 400) }
        }
        let account = try account(on: server, vault: vault, onEvent: events.onEvent)
        let request = Task { await networkError { try await account.request(.me) } }
        await latch.arrivals(atLeast: 1)
        if isRefused { try await account.signOut() }
        try await account.signIn(with: .named("access-b", refresh: "refresh-b"))
        #expect(await request.value?.code == .signedOut)
        latch.open()
        await vault.refreshes.wait { $0 == 1 }
        server.state.update { $0.accepted = ["access-b"] }
        #expect(account.isSignedIn)
        #expect(try await account.request(.me) == User(name: "Ada"))
        #expect(server.tokensSeen == ["access-a", "access-b"])
        #expect(events.value.isEmpty)
        #expect(await vault.load()?.access.rawValue == "access-b")
    }

    @Test(.rule("N6")) func `if tokens are replaced during a refresh, the replaced tokens are used`() async throws {
        let latch = AsyncLatch()
        let vault = SignallingVault(.named("access-a"))
        let server = try TokenServer { $0.refreshLatch = latch }
        let account = try account(on: server, vault: vault)
        async let waiting = account.request(.me)
        await latch.arrivals(atLeast: 1)
        server.state.update { $0.accepted = ["access-9"] }
        try await account.replaceTokens(with: .named("access-9", refresh: "refresh-9"))
        // The waiting request continues with the new tokens without the refresh.
        #expect(try await waiting == User(name: "Ada"))
        latch.open()
        await vault.refreshes.wait { $0 == 1 }
        server.state.update { $0.accepted = ["access-9"] }
        #expect(try await account.request(.me) == User(name: "Ada"))
        #expect(server.tokensSeen == ["access-a", "access-9", "access-9"])
        #expect(vault.saved.value.map(\.access.rawValue) == ["access-9"])
    }

    @Test(.rule("N21")) func `a refresh that returns the refused token fails, without a loop`() async throws {
        let clock = ManualClock()
        let vault = MemoryTokenVault(.named("access-a"))
        let server = try ScriptedServer { request in
            request.target == "/me"
                ? .status(401) : .json(#"{"access_token":"access-a","refresh_token":"refresh-2"}"#)
        }
        let account = try server.account(tokens: .named("access-a"), vault: vault, configure: { $0.clock = clock })
        await withTaskGroup { group in
            for _ in 0..<10 {
                group.addTask {
                    let error = await networkError { try await account.request(.me) }
                    #expect(error?.code == .refreshUnavailable)
                    #expect((error?.cause as? NetworkError)?.code == .unauthorized)
                }
            }
        }
        func count(_ target: String) -> Int { server.requests.filter { $0.target == target }.count }
        let sent = count("/me")
        #expect(sent <= 10)
        #expect(count("/token/refresh") == 1)
        // The refresh token may be new, so it must not be lost.
        #expect(await vault.load()?.refresh?.rawValue == "refresh-2")
        #expect(account.isSignedIn)

        clock.advance(by: .seconds(1))
        #expect(await networkError { try await account.request(.me) }?.code == .refreshUnavailable)
        let last = try #require(server.requests.last)
        #expect(String(decoding: last.body, as: UTF8.self) == #"{"refresh_token":"refresh-2"}"#)
        #expect(count("/me") == sent)
        #expect(count("/token/refresh") == 2)
    }

    @Test(.rule("N8")) func `a refresh without a response times out and keeps the session`() async throws {
        let clock = ManualClock()
        let never = AsyncLatch()
        let server = try TokenServer { $0.refreshLatch = never }
        let account = try account(on: server, clock: clock)
        let first = Task { await networkError { try await account.request(.me) } }
        await never.arrivals(atLeast: 1)
        let second = Task { await networkError { try await account.request(.me) } }
        await clock.sleepers(atLeast: 3)
        clock.advance(by: .seconds(30))
        #expect(await first.value?.code == .timedOut)
        // The second request and the refresh time out at the same moment. Either error may come
        // first.
        let code = await second.value?.code
        #expect(code == .timedOut || code == .refreshUnavailable)
        #expect(account.isSignedIn)
        never.open()
    }

    @Test(.rule("N10"), arguments: [-7200.0, 7200])
    func `a wrong clock of the server does not change the refresh times`(by offset: TimeInterval) async throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let date = formatter.string(from: Date(timeIntervalSinceNow: offset))
        let clock = ManualClock()
        let server = try TokenServer {
            $0.expiresIn = 900
            $0.date = date
        }
        let account = try account(on: server, clock: clock)
        for _ in 0..<3 { _ = try await account.request(.me) }
        #expect(server.refreshes == 1)
        clock.advance(by: .seconds(869))
        _ = try await account.request(.me)
        #expect(server.refreshes == 1)
        clock.advance(by: .seconds(1))
        _ = try await account.request(.me)
        #expect(server.refreshes == 2)
    }

    @Test(.rule("N2")) func `10000 callers with an expired token cause a single refresh`() async throws {
        // A transport in memory, because ten thousand sockets would be too many.
        let (latch, seen) = (AsyncLatch(), Watched<[String: Int]>([:]))
        let transport = InlineTransport { request, _ in
            let token = request.headerFields[.authorization] ?? "refresh"
            seen.update { $0[token, default: 0] += 1 }
            guard token == "refresh" else { return (HTTPResponse(status: .ok), Data(#"{"name":"Ada"}"#.utf8)) }
            await latch.wait()
            return (HTTPResponse(status: .ok), Data(#"{"access_token":"access-1","refresh_token":"r"}"#.utf8))
        }
        let clock = ManualClock()
        let account = try transport.service { $0.clock = clock }.account(tokens: .named("dead", expiresIn: .zero))
        try await withThrowingTaskGroup(of: User.self) { group in
            for _ in 0..<10_000 { group.addTask { try await account.request(.me) } }
            await clock.sleepers(atLeast: 10_001)
            latch.open()
            try await group.waitForAll()
        }
        #expect(seen.value == ["refresh": 1, "Bearer access-1": 10_000])
    }
}
