import BackplaneFeatures
import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import CampusAPI
import CampusAccounts
import CampusModels
import CampusTestTools
import Foundation
import Testing

@testable import CampusApp
@testable import CampusAssembly

/// Tests of the signed-in user, also after a restart.
///
/// A restart is another session over the same vault.
@Suite(.timeLimit(.minutes(5)))
struct CampusSessionTests {
    private let vault = MemoryTokenVault()
    private let ada = LoginRequest(email: DemoUsers.ada.email, password: DemoUsers.ada.password)

    private func signIn(_ api: TestAPI) async throws -> CampusSession {
        let session = try api.session(vault)
        #expect(try await session.signIn(with: ada) {}.user == "ada")
        return session
    }

    @Test func `a user stays signed in after a restart, and concurrent callers share one lookup`() async throws {
        try await withAPI { api in
            _ = try await signIn(api)
            let session = try api.session(vault)
            let users = await withTaskGroup { group in
                for _ in 0..<8 { group.addTask { await session.account()?.user } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(users == Array(repeating: "ada", count: 8))
            #expect(try await session.account()?.courses().isEmpty == false)
            #expect(await api.log().count { $0.contains("/me") } == 2, "one for the sign-in, one for the restart")
        }
    }

    @Test(.rule("C1", "C4")) func `windows that load the same data at the same time share requests`() async throws {
        try await withAPI { api in
            let account = try #require(await signIn(api).account())
            let windows = 50
            try await withThrowingTaskGroup { group in
                for _ in 0..<windows {
                    group.addTask {
                        _ = try await account.courses()
                        _ = try await account.todos(of: "abc123")
                    }
                }
                try await group.waitForAll()
            }
            let log = await api.log()
            #expect(log.count { $0.contains("/todos") } < windows)
            #expect(log.count { $0.contains("/courses ") || $0.hasSuffix("/courses") } < windows)
        }
    }

    @Test func `expired tokens are refreshed after a restart, and the new tokens are stored`() async throws {
        let clock = ManualClock()
        try await withAPI {
            $0.now = { Date(timeIntervalSinceReferenceDate: clock.now.offset / .seconds(1)) }
        } _: { api in
            _ = try await signIn(api)
            let old = try #require(await vault.load())
            clock.advance(by: .seconds(3600))
            let session = try api.session(vault)
            #expect(try await session.account()?.courses().isEmpty == false)
            #expect(await vault.load()?.access != old.access)
            #expect(await vault.load() != nil)
        }
    }

    @Test func `tokens unknown to the server end the session, and no user is signed in`() async throws {
        try await withAPI { api in
            await vault.save(
                NetworkTokens(access: AccessToken(rawValue: "x"), refresh: RefreshToken(rawValue: "y"))
            )
            let session = try api.session(vault)
            #expect(await session.account() == nil)
            #expect(await session.notice()?.contains("You have been signed out") == true)
            #expect(await vault.load() == nil)
        }
    }

    @Test func `an unreachable server does not end the sign-in, and the next call tries again`() async throws {
        try await withTemporaryDirectory { directory in
            var url: URL?
            try await withAPI(in: directory) { api in
                _ = try await signIn(api)
                url = api.url
            }
            let address = try #require(url)
            let session = CampusSession(service: try CampusApp.service(at: address, over: transport), vault: vault)
            #expect(await session.account() == nil)
            #expect(await vault.load() != nil)
            try await withAPI(in: directory) {
                $0.port = address.port ?? 0
            } _: { _ in
                #expect(await session.account()?.user == "ada")
            }
        }
    }

    @Test func `a sign-in stores no tokens before its entry closure has run`() async throws {
        try await withAPI { api in
            let session = try api.session(vault)
            let vault = vault
            _ = try await session.signIn(with: ada) { #expect(await vault.load() == nil) }
            #expect(await vault.load() != nil)
        }
    }

    @Test func `signing out or ending a session removes its tokens`() async throws {
        try await withAPI { api in
            let first = try await signIn(api)
            let account = try #require(await first.account())
            await account.signOut()
            await account.end()
            #expect(await vault.load() == nil)
            #expect(await first.account() == nil)
            #expect(await first.notice() == nil)

            _ = try await signIn(api)
            let nobodyAsked = try api.session(vault)
            await nobodyAsked.end()
            #expect(await vault.load() == nil)

            let second = try await signIn(api)
            await second.end()
            #expect(await vault.load() == nil)
            #expect(await second.account() == nil)
        }
    }

    @Test(arguments: [false, true])
    func `the end of a session also ends it at the server`(isAfterRestart: Bool) async throws {
        try await withAPI { api in
            let first = try await signIn(api)
            let tokens = try #require(await vault.load())
            let session = isAfterRestart ? try api.session(vault) : first
            await session.end()
            #expect(await vault.load() == nil)
            #expect(await session.account() == nil)

            let stolen = try api.session(MemoryTokenVault(tokens))
            #expect(await stolen.account() == nil)
            #expect(
                await stolen.notice()?.contains("You have been signed out") == true,
                "the server refuses the tokens"
            )
        }
    }

    @Test func `the end of a session needs no server, and sends nothing without a sign-in`() async throws {
        var url: URL?
        try await withAPI { api in
            _ = try await signIn(api)
            let empty = try api.session(MemoryTokenVault())
            await empty.end()
            url = api.url
            #expect(await api.log().count { $0.contains("/logout") } == 0)
        }
        let session = CampusSession(
            service: try CampusApp.service(at: try #require(url), over: transport),
            vault: vault
        )
        await session.end()
        #expect(await vault.load() == nil)
    }

    @Test func `a sign-in whose user cannot be loaded stores nothing`() async throws {
        let faults = try Faults("fail=/me:1")
        try await withAPI {
            $0.faults = faults
        } _: { api in
            let session = try api.session(vault)
            await #expect(throws: (any Error).self) {
                try await session.signIn(with: ada) {}
            }
            #expect(await vault.load() == nil)
            #expect(await session.account() == nil)
        }
    }

    @Test func `a wrong password leaves the current user signed in`() async throws {
        try await withAPI { api in
            let session = try await signIn(api)
            let tokens = await vault.load()
            let wrong = LoginRequest(email: DemoUsers.ada.email, password: "wrong")
            await #expect(throws: (any Error).self) {
                try await session.signIn(with: wrong) {}
            }
            #expect(await session.account()?.user == "ada")
            #expect(await vault.load() == tokens)
        }
    }

    @Test(.rule("M16")) func `the server checks a password, and forgets the session of the check`() async throws {
        try await withAPI { api in
            let account = try #require(await signIn(api).account())
            let tokens = await vault.load()
            try await account.check(password: DemoUsers.ada.password)
            let error = await #expect(throws: ExplainedError.self) { try await account.check(password: "wrong") }
            #expect(error?.message == "This is not your password.")
            while try await account.sessions().count > 1, !Task.isCancelled { await Task.yield() }
            #expect(await vault.load() == tokens, "the user's own session continues")
            await account.signOut()
        }
    }

    @Test(.rule("B30")) func `a password that nobody can check is not accepted`() async throws {
        let faults = try Faults("")
        try await withAPI {
            $0.faults = faults
        } _: { api in
            let account = try #require(await signIn(api).account())
            try await api.inject("fail=/login:1")
            for _ in ["the sign-in fails", "the user cannot be loaded"] {
                let error = await #expect(throws: ExplainedError.self) {
                    try await account.check(password: DemoUsers.ada.password)
                }
                #expect(error?.message == "The campus server could not answer.")
                try await api.inject("fail=/me")
            }
        }
    }

    @Test func `a session of a password check that the server keeps is reported to the operator`() async throws {
        let faults = try Faults("fail=/logout:1")
        try await withAPI {
            $0.faults = faults
        } _: { api in
            let (lines, line) = AsyncStream<String>.makeStream()
            let session = CampusSession(service: try api.service(), vault: vault, log: { line.yield($0) })
            try await session.signIn(with: ada) {}.check(password: DemoUsers.ada.password)
            for await text in lines where text.contains("the session of a password check") { break }
        }
    }

    @Test func `a message sent twice with one key arrives once`() async throws {
        try await withAPI { api in
            let account = try #require(await signIn(api).account())
            let message = NewMessage(recipients: ["student-grace"], text: "Hello")
            let key = IdempotencyKey()
            let sent = try await account.send(message, key: key)
            #expect(try await account.send(message, key: key) == sent)
            #expect(try await account.messages(before: nil).messages == [sent])
        }
    }

    @Test(.rule("B56", "N9"))
    func `an account sends no request after another user has signed in, and its windows are notified`() async throws {
        try await withAPI { api in
            let session = try await signIn(api)
            let ada = try #require(await session.account())
            let grace = LoginRequest(email: DemoUsers.grace.email, password: DemoUsers.grace.password)
            #expect(try await session.signIn(with: grace) {}.user == "grace")
            await ada.end()
            let error = await #expect(throws: ExplainedError.self) {
                try await ada.send(NewMessage(recipients: ["student-grace"], text: "Hello"), key: IdempotencyKey())
            }
            #expect(error?.message == NetworkError.signedOutText)
            #expect(await session.account()?.user == "grace")
        }
    }

    @Test func `cancelling the task stops waiting for the end of an account`() async throws {
        try await withAPI { api in
            let account = try #require(await signIn(api).account())
            let waiting = Task { await account.end() }
            waiting.cancel()
            await waiting.value
        }
    }
}
