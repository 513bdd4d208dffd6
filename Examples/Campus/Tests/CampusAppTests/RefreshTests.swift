import BackplaneNetworking
import BackplaneTesting
import CampusAPI
import CampusModels
import Foundation
import Screens
import Testing

@testable import CampusApp

/// How a session outlives its tokens, against the real API in a time that the test moves.
@Suite(.timeLimit(.minutes(5)))
struct RefreshTests {
    private let clock = ManualClock()
    private let vault = MemoryTokenVault()

    private func live(_ configuration: inout CampusAPIServer.Configuration) {
        let clock = clock
        configuration.clock = clock
        configuration.now = { Date(timeIntervalSinceReferenceDate: clock.now.offset / .seconds(1)) }
    }

    private func logIn(
        _ api: TestAPI,
        onExpiry: @escaping @Sendable () async -> Void = {}
    ) async throws -> CampusSession {
        let session = try api.session(vault)
        let ada = LoginRequest(email: DemoUsers.ada.email, password: DemoUsers.ada.password)
        _ = try await session.logIn(with: ada, onEntry: {}, onExpiry: onExpiry)
        return session
    }

    /// Has the server rotate the tokens, and the process killed before it has stored the new ones.
    private func rotateAndKill(_ session: CampusSession) async throws {
        let stored = try #require(await vault.load())
        clock.advance(by: .seconds(300))
        _ = try await session.courses()
        #expect(await vault.load() != stored)
        await vault.save(stored)
    }

    @Test func `N11: killed between the server's rotation and the client's, who was logged in still is`() async throws {
        try await withAPI(live) { api in
            try await rotateAndKill(try await logIn(api))
            clock.advance(by: .seconds(30))
            let restarted = try api.session(vault)
            #expect(await restarted.currentUser == "ada")
            clock.advance(by: .seconds(300))
            #expect(try await restarted.courses().isEmpty == false, "what it has now can be exchanged in turn")
        }
    }

    @Test func `N11: after the grace the same tokens might be a thief's, and the session is over`() async throws {
        let (expiries, expiry) = AsyncStream<Void>.makeStream()
        try await withAPI(live) { api in
            try await rotateAndKill(try await logIn(api))
            clock.advance(by: .seconds(31))
            let restarted = try api.session(vault) { expiry.yield() }
            #expect(await restarted.currentUser == nil)
            for await _ in expiries { break }
        }
    }

    @Test func `N2: windows of one session that are refused at once share one refresh, and nobody is logged out`()
        async throws
    {
        let faults = try Faults("slow=/contacts:1s,unauthorized=/contacts:4")
        try await withAPI {
            live(&$0)
            $0.faults = faults
        } _: { api in
            let session = try await logIn(api) { Issue.record("the session has ended") }
            try await withThrowingTaskGroup(of: [Contact].self) { windows in
                for _ in 1...4 {
                    windows.addTask { try await session.contacts() }
                }
                // All four are refused at the same time, and then all four are answered.
                for _ in ["refused", "answered"] {
                    await clock.sleepers(atLeast: 4)
                    clock.advance(by: .seconds(1))
                }
                for try await contacts in windows { #expect(!contacts.isEmpty) }
            }
            #expect(await session.currentUser == "ada")
            let log = await api.log()
            #expect(log.count { $0.contains("GET /contacts 401") } == 4)
            #expect(log.count { $0.contains("POST /token/refresh 200") } == 1)
        }
    }

    @Test func `N3: a request that is refused twice has failed, and nobody is logged out for it`() async throws {
        let faults = try Faults("unauthorized=/courses:2")
        try await withAPI {
            live(&$0)
            $0.faults = faults
        } _: { api in
            let session = try await logIn(api) { Issue.record("the session has ended") }
            let problem = DisplayError("The campus server could not answer.")
            await #expect(throws: problem) { try await session.courses() }
            #expect(try await session.courses().isEmpty == false)
        }
    }

    @Test func `a session that is ended from elsewhere ends here with the next request`() async throws {
        let (expiries, expiry) = AsyncStream<Void>.makeStream()
        try await withAPI(live) { api in
            let here = try await logIn(api) { expiry.yield() }
            let elsewhere = try api.session(MemoryTokenVault())
            let ada = LoginRequest(email: DemoUsers.ada.email, password: DemoUsers.ada.password)
            _ = try await elsewhere.logIn(with: ada, onEntry: {}, onExpiry: {})
            let other = try #require(try await elsewhere.sessions().first { !$0.isCurrent })
            try await elsewhere.endSession(other.id)
            await #expect(throws: (any Error).self) { try await here.courses() }
            for await _ in expiries { break }
            #expect(try await elsewhere.sessions().map(\.isCurrent) == [true])
        }
    }

    @Test func `the settings show the user that is kept, and ask the server only to sync`() async throws {
        try await withAPI(live) { api in
            let session = try await logIn(api)
            #expect(try await session.knownUser().name == "Ada Lovelace")
            #expect(try await session.user().name == "Ada Lovelace")
            try await session.endOtherSessions()
            await session.logOut()
            await #expect(throws: (any Error).self) { try await session.knownUser() }
            #expect(await api.log().count { $0.contains("GET /me 200") } == 2, "one for the log-in, one for the sync")
        }
    }
}
