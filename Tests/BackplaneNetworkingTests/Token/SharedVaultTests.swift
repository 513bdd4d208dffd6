import BackplaneConformance
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneNetworking

/// Sessions that share a token file, after a killed process and with other running processes.
///
/// The tests are serialized. A test that runs a process blocks one of the few threads for Swift's
/// tasks. Without a free thread, the server in this process could not respond to the other process.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SharedVaultTests {
    private let directory = TemporaryDirectory()
    private var file: URL { directory.url.appending(path: "tokens.json") }

    /// Creates an account as an app does at launch.
    private func launch(
        on server: RotatingServer,
        clock: any Clock<Duration> = ContinuousClock(),
        onEvent: @escaping @Sendable (NetworkError) -> Void = { _ in }
    ) async throws -> AuthenticatedNetworkController {
        let vault = FileTokenVault(file: file)
        let tokens = try #require(try await vault.load())
        return try server.http.account(tokens: tokens, vault: vault, onEvent: onEvent) {
            $0.clock = clock
            // The test does not measure time, so the timeout must not pass on a busy machine.
            $0.timeout = .seconds(600)
        }
    }

    private func signIn(as access: String = "access-1", refresh: String = "refresh-1") async throws {
        try await FileTokenVault(file: file).save(.named(access, refresh: refresh))
    }

    // MARK: N11

    #if compiler(>=6.3) && (os(macOS) || os(Linux))
        @Test(.rule("N11"))
        func `a process killed between the server's rotation and the save leaves the user signed in`() async throws {
            let server = try RotatingServer(uses: 0, hasGrace: true)
            try await signIn()
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [url = server.http.url as String, path = file.path as String] in
                let vault = FileTokenVault(file: URL(filePath: path))
                let tokens = try #require(try await vault.load())
                let fatal = InlineTransport { request, body in
                    let answer = try await URLSessionTransport().send(request, body: body, responseLimit: 1000)
                    if request.path == "/token/refresh" { kill(getpid(), SIGKILL) }
                    return answer
                }
                let service = try NonAuthenticatedNetworkController(
                    baseURL: try #require(URL(string: url)),
                    transport: fatal
                )
                let account = service.account(tokens: tokens, vault: vault)
                _ = try await account.request(.me)
            }
            #expect(server.state.value.current == 2)
            let left = try #require(try await FileTokenVault(file: file).load())
            #expect(left.refresh?.rawValue == "refresh-1")

            server.state.update {
                $0.usesEach = .max
                $0.uses = .max
            }
            let account = try await launch(on: server)
            // The refresh starts at once, before any request, because the grace is short.
            await server.state.wait { $0.refreshes == 2 }
            #expect(try await account.request(.me) == User(name: "Ada"))
            #expect(account.isSignedIn)
            #expect(server.state.value.refreshes == 2)
            #expect(try await FileTokenVault(file: file).load()?.refresh?.rawValue == "refresh-2")
        }
    #endif

    @Test(.rule("N11")) func `tokens without an interrupted refresh are not refreshed at launch`() async throws {
        let server = try RotatingServer(uses: 1)
        try await signIn()
        let account = try await launch(on: server)
        _ = try await account.request(.me)
        _ = try await account.request(.me)
        let again = try await launch(on: server)
        server.state.update { $0.uses = 1 }
        _ = try await again.request(.me)
        #expect(server.state.value.refreshes == 1)
    }

    // MARK: Processes at the same time

    @Test(.rule("N7")) func `two processes that share a vault refresh only once`() async throws {
        let latch = AsyncLatch()
        let server = try RotatingServer(uses: 0)
        server.state.update {
            $0.latch = latch
            $0.usesEach = .max
        }
        try await signIn()
        let clock = ManualClock()
        let one = try await launch(on: server)
        let other = try await launch(on: server, clock: clock)
        async let first = one.request(.me)
        await latch.arrivals(atLeast: 1)
        async let second = other.request(.me)
        // The second request got a 401 and waits for tokens, which are available only after the
        // lock is free.
        await server.http.journal.wait { $0.requests.filter { $0.target == "/me" }.count == 2 }
        latch.open()
        #expect(try await [first, second] == [User(name: "Ada"), User(name: "Ada")])
        #expect(server.state.value.refreshes == 1)
        #expect(!server.state.value.wasReused)
    }

    @Test(.rule("N7"), arguments: [true, false])
    func `newer tokens that cannot be used directly can be refreshed and revoked`(
        haveExpired: Bool
    ) async throws {
        let latch = AsyncLatch()
        let server = try RotatingServer(uses: 0)
        server.state.update {
            $0.latch = latch
            $0.current = 2
            $0.usesEach = .max
        }
        try await signIn()
        let account = try await launch(on: server)
        let newer = NetworkTokens.named("access-2", refresh: "refresh-2", expiresIn: haveExpired ? .zero : nil)
            .succeeding(.named("access-1"))
        // If the tokens are not expired, a process has died during their refresh.
        try await FileTokenVault(file: file).save(haveExpired ? newer : newer.beingRefreshed)
        let request = Task { await networkError { try await account.request(.me) } }
        await latch.arrivals(atLeast: 1)
        let refresh = try #require(server.http.requests.last)
        #expect(String(decoding: refresh.body, as: UTF8.self) == #"{"refresh_token":"refresh-2"}"#)
        try await account.signOut(revokingWith: { .revoke($0) })
        let revocation = try #require(server.http.requests.last)
        #expect(String(decoding: revocation.body, as: UTF8.self) == #"{"refresh_token":"refresh-2"}"#)
        latch.open()
        #expect(await request.value?.code == .signedOut)
        #expect(!server.state.value.wasReused)
    }

    #if compiler(>=6.3) && (os(macOS) || os(Linux))
        @Test(.rule("N7"))
        func `two processes that share a vault for many refreshes never send a refresh token twice`() async throws {
            let server = try RotatingServer(uses: 3)
            try await signIn()
            // Each process uses up tokens of the other, so that both refresh repeatedly.
            async let child = #expect(processExitsWith: .success) {
                [url = server.http.url as String, path = file.path as String] in
                let vault = FileTokenVault(file: URL(filePath: path))
                let tokens = try #require(try await vault.load())
                let service = try NonAuthenticatedNetworkController(baseURL: try #require(URL(string: url)))
                let account = service.account(tokens: tokens, vault: vault)
                for _ in 0..<60 { try await account.persistently { try await $0.request(.me) } }
            }
            let account = try await launch(on: server)
            for _ in 0..<60 { try await account.persistently { try await $0.request(.me) } }
            _ = await child
            #expect(!server.state.value.wasReused)
            #expect(server.state.value.refreshes >= 30)
        }
    #endif

    @Test(.rule("N9", "N12"), arguments: [false, true])
    func `a sign-out in one process ends a session that another one refreshes`(
        hasNextUser: Bool
    ) async throws {
        let latch = AsyncLatch()
        let events = SessionLog()
        let server = try RotatingServer(uses: 0)
        server.state.update { $0.latch = latch }
        try await signIn()
        let one = try await launch(on: server)
        let other = try await launch(on: server, onEvent: events.onEvent)
        let request = Task { await networkError { try await other.request(.me) } }
        await latch.arrivals(atLeast: 1)
        // The new tokens of the other process must not be saved.
        try await one.signOut()
        if hasNextUser { try await one.signIn(with: .named("access-b", refresh: "refresh-b")) }
        latch.open()
        #expect(await request.value?.code == .sessionExpired)
        #expect(events.value == [.sessionExpired])
        #expect(!other.isSignedIn)
        #expect(one.isSignedIn == hasNextUser)
        #expect(try await FileTokenVault(file: file).load()?.access.rawValue == (hasNextUser ? "access-b" : nil))
    }

    @Test(.rule("N19"), arguments: [false, true])
    func `a process that read the vault before a sign-out does not undo it`(
        hasNextUser: Bool
    ) async throws {
        let events = SessionLog()
        let server = try RotatingServer(uses: 0)
        try await signIn()
        let one = try await launch(on: server)
        let vault = FileTokenVault(file: file)
        let tokens = try #require(try await vault.load())
        try await one.signOut()
        if hasNextUser { try await one.signIn(with: .named("access-b", refresh: "refresh-b")) }
        let other = try server.http.account(tokens: tokens, vault: vault, onEvent: events.onEvent)
        #expect(await networkError { try await other.request(.me) }?.code == .sessionExpired)
        #expect(events.value == [.sessionExpired])
        #expect(server.state.value.refreshes == 0)
        #expect(try await vault.load()?.access.rawValue == (hasNextUser ? "access-b" : nil))
    }

    @Test(.rule("N19"))
    func `tokens that were saved in a vault are not used after they were cleared`() async throws {
        let server = try RotatingServer(uses: 0)
        let vault = SignallingVault()
        let one = try server.http.account(vault: vault)
        try await one.signIn(with: .named("access-1"))
        // A vault keeps the encoded tokens whole.
        let kept = try JSONDecoder().decode(NetworkTokens.self, from: JSONEncoder().encode(await vault.load()))
        try await one.signOut()
        let other = try server.http.account(tokens: kept, vault: vault)
        #expect(await networkError { try await other.request(.me) }?.code == .sessionExpired)
        #expect(server.state.value.refreshes == 0)
        #expect(await vault.load() == nil)
    }

    @Test(.rule("N12"))
    func `a session ends if its vault has another user's tokens, and does not change these tokens`() async throws {
        let server = try RotatingServer(uses: 0)
        try await signIn()
        let one = try await launch(on: server)
        let other = try await launch(on: server)
        _ = await networkError { try await one.request(.me) }
        try await one.signOut()
        try await one.signIn(with: .named("access-b", refresh: "refresh-b"))
        #expect(await networkError { try await other.request(.me) }?.code == .sessionExpired)
        #expect(try await FileTokenVault(file: file).load()?.access.rawValue == "access-b")
        #expect(!server.http.requests.contains { $0.bearer == "access-b" })
        // A late sign-out of the old session does not affect the new user either.
        try await other.signOut()
        #expect(try await FileTokenVault(file: file).load()?.access.rawValue == "access-b")
    }

    @Test(.rule("N7"))
    func `a refused refresh uses the tokens that another process has saved in the meantime`() async throws {
        let server = try RotatingServer(uses: 0)
        server.state.update {
            $0.usesEach = .max
            $0.isForgiving = true
        }
        // The vault has no lock and shows its current tokens only after the refresh has been
        // refused.
        let vault = LateVault(.named("access-1"))
        let accounts = try (0..<2).map { _ in try server.http.account(tokens: .named("access-1"), vault: vault) }
        _ = try await accounts[0].request(.me)
        vault.stale.update { $0 = 1 }
        #expect(try await accounts[1].request(.me) == User(name: "Ada"))
        #expect(accounts[1].isSignedIn)
        #expect(server.state.value.refreshes == 2)
    }

    // MARK: N25

    @Test(.rule("N25"), arguments: [1, 2])
    func `replaced tokens are preferred to the refreshes of another process`(refreshes: Int) async throws {
        let events = SessionLog()
        let server = try RotatingServer(uses: 0)
        try await signIn()
        let one = try await launch(on: server, onEvent: events.onEvent)
        let other = try await launch(on: server, onEvent: events.onEvent)
        // The access tokens are used up at once, so each request refreshes.
        for _ in 0..<refreshes { _ = await networkError { try await other.request(.me) } }
        // A password change ends all earlier tokens.
        server.state.update {
            $0.current = 10
            ($0.uses, $0.usesEach) = (.max, .max)
            $0.isForgiving = true
        }
        try await one.replaceTokens(with: .named("access-10", refresh: "refresh-10"))
        #expect(try await FileTokenVault(file: file).load()?.access.rawValue == "access-10")
        for account in [one, other, one] { #expect(try await account.request(.me) == User(name: "Ada")) }
        server.state.update { $0.uses = 0 }
        for account in [one, other] { #expect(try await account.request(.me) == User(name: "Ada")) }
        #expect(events.value.isEmpty)
        #expect(try await FileTokenVault(file: file).load()?.access.rawValue == "access-11")
    }

    @Test(.rule("N25"), arguments: [false, true])
    func `replaced tokens are preferred to a running refresh of another process`(isRefused: Bool) async throws {
        let latch = AsyncLatch()
        let server = try ScriptedServer { request in
            guard request.target == "/token/refresh" else {
                return request.bearer == "access-9" ? .json(#"{"name":"Ada"}"#) : .status(401)
            }
            await latch.wait()
            return isRefused ? .status(400) : .json(#"{"access_token":"late","refresh_token":"late"}"#)
        }
        try await signIn()
        let vault = FileTokenVault(file: file)
        let tokens = try #require(try await vault.load())
        let accounts = try (0..<2).map { _ in try server.account(tokens: tokens, vault: vault) }
        let request = Task { try await accounts[1].request(.me) }
        await latch.arrivals(atLeast: 1)
        try await accounts[0].replaceTokens(with: .named("access-9", refresh: "refresh-9"))
        latch.open()
        #expect(try await request.value == User(name: "Ada"))
        #expect(try await vault.load()?.access.rawValue == "access-9")
    }

    @Test(.rule("N25"))
    func `when a session ends, tokens that the app gives to another process are not removed`() async throws {
        let server = try ScriptedServer { request in
            if request.target == "/token/refresh" { return .json(#"{"error":"invalid_grant"}"#, status: 400) }
            return request.bearer == "access-9" ? .json(#"{"name":"Ada"}"#) : .status(401)
        }
        try await signIn()
        let plain = FileTokenVault(file: file)
        let tokens = try #require(try await plain.load())
        let service = try server.service()
        let one = service.account(tokens: tokens, vault: plain)
        // The first write is the note that the refresh begins, the second one the end of the
        // session.
        let writes = Watched(0)
        let vault = InterruptedVault(
            plain,
            beforeWrite: {
                writes.update { $0 += 1 }
                if writes.value == 2 { try await one.replaceTokens(with: .named("access-9", refresh: "refresh-9")) }
            }
        )
        let other = service.account(tokens: tokens, vault: vault)
        #expect(try await other.request(.me) == User(name: "Ada"))
        #expect(try await plain.load()?.access.rawValue == "access-9")
    }

    @Test(.rule("N25"), arguments: [false, true])
    func `tokens that cannot be saved because another process has signed out cause an error`(
        hasNextUser: Bool
    ) async throws {
        let server = try RotatingServer()
        try await signIn()
        let one = try await launch(on: server)
        let other = try await launch(on: server)
        try await other.signOut()
        if hasNextUser { try await other.signIn(with: .named("access-b", refresh: "refresh-b")) }
        let error = await networkError { try await one.replaceTokens(with: .named("access-9", refresh: "refresh-9")) }
        #expect(error?.code == .vaultFailed)
        #expect(try await FileTokenVault(file: file).load()?.access.rawValue == (hasNextUser ? "access-b" : nil))
    }

    @Test func `a vault works without its lock and reports the failure`() async throws {
        let events = SessionLog()
        let server = try RotatingServer(uses: 0)
        server.state.update { $0.usesEach = .max }
        try await signIn()
        try FileManager.default.createDirectory(atPath: file.path + ".lock", withIntermediateDirectories: true)
        let account = try await launch(on: server, onEvent: events.onEvent)
        #expect(try await account.request(.me) == User(name: "Ada"))
        #expect(events.value == [.vaultFailed])
        #expect(try await FileTokenVault(file: file).load()?.refresh?.rawValue == "refresh-2")
    }
}

/// A vault that can return its first tokens again instead of its current tokens.
private final class LateVault: TokenVault {
    /// The number of further loads that return the first tokens.
    let stale = Watched(0)
    private let first: NetworkTokens
    private let kept: Watched<NetworkTokens>

    init(_ tokens: NetworkTokens) {
        first = tokens
        kept = Watched(tokens)
    }

    func load() async -> NetworkTokens? {
        let isStale = stale.update { count in
            defer { count = max(0, count - 1) }
            return count > 0
        }
        return isStale ? first : kept.value
    }

    func save(_ tokens: NetworkTokens) async {
        // A note for outdated tokens would overwrite the current tokens.
        if tokens.history?.isBeingRefreshed != true { kept.update { $0 = tokens } }
    }

    func clear() async { Issue.record("The vault was cleared although the session continues.") }
}

extension AuthenticatedNetworkController {
    /// Repeats the request until it succeeds.
    ///
    /// Another process uses up the same tokens, so the retry can be refused like the first request.
    fileprivate func persistently(_ request: @Sendable (Self) async throws -> User) async throws {
        while true {
            do {
                _ = try await request(self)
                return
            } catch let error as NetworkError where error.code == .unauthorized {
                continue
            }
        }
    }
}
