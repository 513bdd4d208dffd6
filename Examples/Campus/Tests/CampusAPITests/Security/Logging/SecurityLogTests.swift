import BackplaneTesting
import CampusModels
import CampusTestSupport
import Testing

@testable import CampusAPI

@Suite(.timeLimit(.minutes(5)))
struct SecurityLogTests {
    /// Returns the lines of the security log after `body`.
    private func log(
        configure: (inout CampusAPIServer.Configuration) -> Void = { _ in },
        _ body: (APIClient) async throws -> Void
    ) async throws -> [String] {
        let log = LogCapture()
        try await withAPI(configure: configure, securityLogger: log.logger, body)
        return await log.finish()
    }

    private func hasLine(_ lines: [String], _ parts: String...) -> Bool {
        lines.contains { line in parts.allSatisfy { line.contains($0) } }
    }

    @Test func `sign-ins are logged with their outcome, the user and the client`() async throws {
        let lines = try await log {
            $0.appKey = testAppKey
            $0.loginAttempts = 1
        } _: { api in
            let wrong = LoginRequest(email: DemoUsers.ada.email, password: "hunter2")
            _ = try await api.signIn(DemoUsers.grace, from: "192.0.2.1")
            _ = try await api.signIn(wrong, from: "192.0.2.2")
            _ = try await api.signIn(wrong, from: "192.0.2.2")
        }
        #expect(hasLine(lines, "info login succeeded", "192.0.2.1", "grace"))
        #expect(hasLine(lines, "notice login failed", "192.0.2.2", "email:"))
        #expect(hasLine(lines, "warning login throttled", "192.0.2.2", "email:"))
        #expect(lines.count == 3)
        for secret in ["hunter2", DemoUsers.grace.password, "campus.example", testAppKey.rawValue] {
            #expect(!lines.contains { $0.contains(secret) })
        }
    }

    @Test func `a sign-in that is deferred because of a flood is logged with the client`() async throws {
        let latch = AsyncLatch()
        let lines = try await log {
            $0.appKey = testAppKey
            $0.passwordLimits = PasswordVerifier.Limits(width: 1, waiting: 0, share: 0)
            $0.checkPassword = { password, hash in
                await latch.wait()
                return try hash.matches(password)
            }
        } _: { api async throws in
            async let first = api.signIn(DemoUsers.grace, from: "192.0.2.1")
            await latch.arrivals(atLeast: 1)
            let deferred = try await api.signIn(DemoUsers.ada, from: "192.0.2.2")
            latch.open()
            #expect(deferred.status == 429)
            #expect(try await first.status == 200)
        }
        #expect(hasLine(lines, "warning login deferred", "192.0.2.2", "email:"))
    }

    @Test func `a reused refresh token and the end of a session are logged with the user`() async throws {
        let time = TestTime()
        let lines = try await log {
            time.drive(&$0)
        } _: { api in
            let ada = try await api.signIn(DemoUsers.ada)
            _ = try await api.refresh(ada.refreshToken)
            time.advance(by: .seconds(31))
            _ = try await api.refresh(ada.refreshToken)
            let grace = try await api.signIn(DemoUsers.grace)
            _ = try await api.delete("/sessions", token: grace.accessToken)
            _ = try await api.post("/logout", token: grace.accessToken)
        }
        #expect(hasLine(lines, "warning refresh reused", "ada", "127.0.0.1"))
        #expect(lines.count { $0.contains("info session ended") && $0.contains("grace") } == 2)
    }

    @Test func `refused texts, bodies and accesses are logged`() async throws {
        let lines = try await log {
            $0.appKey = testAppKey
        } _: { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let message = NewMessage(recipients: ["tutor-babbage"], text: "before\u{0}after")
            _ = try await api.post("/messages", message, token: token)
            _ = try await api.post("/messages", text: String(repeating: "x", count: 20_000), token: token)
            _ = try await api.get("/courses/cmp310", token: token)
            _ = try await api.get("/me", token: "stolen")
            _ = try await api.signIn(DemoUsers.ada, from: "192.0.2.1", key: .random())
        }
        #expect(hasLine(lines, "notice text refused", "ada"))
        #expect(hasLine(lines, "notice body refused", "127.0.0.1"))
        #expect(hasLine(lines, "notice access refused", "ada"), "not a course of the user")
        #expect(lines.count { $0.contains("notice access refused") } == 2)
        #expect(hasLine(lines, "warning app-key refused", "127.0.0.1"))
        for secret in ["before", "xxx", "stolen"] { #expect(!lines.contains { $0.contains(secret) }) }
    }
}
