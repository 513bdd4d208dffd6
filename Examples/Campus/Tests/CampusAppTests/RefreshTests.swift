import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import CampusAPI
import CampusAccounts
import CampusModels
import CampusTestTools
import Foundation
import Testing

@testable import CampusAssembly

/// Tests of token refreshes against the real API, on a clock that the test moves.
@Suite(.timeLimit(.minutes(5)))
struct RefreshTests {
    private let clock = ManualClock()
    private let vault = MemoryTokenVault()

    private func live(_ configuration: inout CampusAPIServer.Configuration) {
        let clock = clock
        configuration.clock = clock
        configuration.now = { Date(timeIntervalSinceReferenceDate: clock.now.offset / .seconds(1)) }
    }

    private func signIn(_ api: TestAPI, _ vault: MemoryTokenVault? = nil) async throws -> any Account {
        let ada = LoginRequest(email: DemoUsers.ada.email, password: DemoUsers.ada.password)
        return try await api.session(vault ?? self.vault).signIn(with: ada) {}
    }

    /// Rotates the tokens, then stores the old tokens again.
    ///
    /// The vault is then as after a kill between the rotation and the save of the new tokens.
    private func rotateAndKill(_ account: any Account) async throws {
        let stored = try #require(await vault.load())
        clock.advance(by: .seconds(300))
        _ = try await account.courses()
        #expect(await vault.load() != stored)
        await vault.save(stored)
    }

    @Test(.rule("N11")) func `a user stays signed in if the app is killed before it stores rotated tokens`()
        async throws
    {
        try await withAPI(live) { api in
            try await rotateAndKill(try await signIn(api))
            clock.advance(by: .seconds(30))
            let account = try #require(await api.session(vault).account())
            #expect(account.user == "ada")
            clock.advance(by: .seconds(300))
            #expect(try await account.courses().isEmpty == false, "the new tokens can be refreshed again")
        }
    }

    @Test(.rule("N11")) func `old tokens used after the grace period end the session`() async throws {
        try await withAPI(live) { api in
            try await rotateAndKill(try await signIn(api))
            clock.advance(by: .seconds(31))
            let restarted = try api.session(vault)
            #expect(await restarted.account() == nil)
            #expect(await restarted.notice()?.contains("You have been signed out") == true)
        }
    }

    @Test(.rule("N2"))
    func `concurrent requests refused with 401 share one refresh, and the user stays signed in`() async throws {
        let faults = try Faults("slow=/contacts:1s,unauthorized=/contacts:4")
        try await withAPI {
            live(&$0)
            $0.faults = faults
        } _: { api in
            let account = try await signIn(api)
            try await withThrowingTaskGroup(of: [Contact].self) { windows in
                for _ in 1...4 {
                    windows.addTask { try await account.contacts() }
                }
                // All four are refused at the same time, and then all four succeed.
                for _ in ["refused", "accepted"] {
                    await clock.sleepers(atLeast: 4)
                    clock.advance(by: .seconds(1))
                }
                for try await contacts in windows { #expect(!contacts.isEmpty) }
            }
            #expect(account.user == "ada")
            let log = await api.log()
            #expect(log.count { $0.contains("GET /contacts 401") } == 4)
            #expect(log.count { $0.contains("POST /token/refresh 200") } == 1)
        }
    }

    @Test(.rule("N3")) func `if a request is refused twice, it fails, and the user stays signed in`() async throws {
        let faults = try Faults("unauthorized=/courses:2")
        try await withAPI {
            live(&$0)
            $0.faults = faults
        } _: { api in
            let account = try await signIn(api)
            let error = await #expect(throws: ExplainedError.self) { try await account.courses() }
            #expect(error?.message == "The campus server could not answer.")
            #expect(try await account.courses().isEmpty == false)
        }
    }

    @Test func `a session that another session has ended fails at its next request`() async throws {
        try await withAPI(live) { api in
            let here = try await signIn(api)
            let elsewhere = try await signIn(api, MemoryTokenVault())
            let other = try #require(try await elsewhere.sessions().first { !$0.isCurrent })
            try await elsewhere.endSession(other.id)
            await #expect(throws: (any Error).self) { try await here.courses() }
            await here.end()
            #expect(try await elsewhere.sessions().map(\.isCurrent) == [true])
        }
    }

    @Test func `reading the known user sends no request, and loading the user does`() async throws {
        try await withAPI(live) { api in
            let account = try await signIn(api)
            #expect(try await account.knownUser().name == "Ada Lovelace")
            #expect(try await account.loadUser().name == "Ada Lovelace")
            try await account.endOtherSessions()
            await account.signOut()
            let error = await #expect(throws: ExplainedError.self) { try await account.loadUser() }
            #expect(error?.message == NetworkError.signedOutText)
            #expect(await api.log().count { $0.contains("GET /me 200") } == 2, "one for the sign-in, one for the sync")
        }
    }
}
