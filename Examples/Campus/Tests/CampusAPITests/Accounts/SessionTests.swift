import CampusAPI
import CampusModels
import CampusTestTools
import Foundation
import GRDB
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SessionTests {
    @Test(arguments: ["/me", "/courses", "/courses/abc123", "/courses/abc123/tutor", "/courses/abc123/todos"])
    func `a user's data needs a valid token`(path: String) async throws {
        try await withAPI { api in
            let missing = try await api.get(path)
            #expect(missing.status == 401)
            #expect(missing.header("WWW-Authenticate") == [#"Bearer realm="campus""#])
            #expect(try missing.error.code == .invalidToken)

            let unknown = try await api.get(path, token: "unknown")
            #expect(unknown.status == 401)
            #expect(unknown.header("WWW-Authenticate") == [#"Bearer realm="campus", error="invalid_token""#])
            #expect(try unknown.error.code == .invalidToken)
        }
    }

    @Test func `an access token expires, and a refresh returns a new token`() async throws {
        let time = TestTime()
        try await withAPI { configuration in
            time.drive(&configuration)
            configuration.accessTokenLifetime = .seconds(10)
        } _: { api in
            let first = try await api.signIn(DemoUsers.ada)
            #expect(first.expiresIn == 10)
            time.advance(by: .milliseconds(9999))
            #expect(try await api.get("/me", token: first.accessToken).status == 200)
            time.advance(by: .milliseconds(1))
            let expired = try await api.get("/me", token: first.accessToken)
            #expect(expired.status == 401)
            #expect(expired.header("WWW-Authenticate") == [#"Bearer realm="campus", error="invalid_token""#])

            let answer = try await api.refresh(first.refreshToken)
            #expect(answer.header("Cache-Control") == ["no-store"])
            let second: TokensResponse = try answer.decoded()
            #expect(second.accessToken != first.accessToken)
            #expect(second.refreshToken != first.refreshToken)
            #expect(try await api.get("/me", token: second.accessToken).status == 200)
        }
    }

    @Test(.rule("N11")) func `the refresh token used last returns the same successor for 30 seconds`() async throws {
        let time = TestTime()
        try await withAPI(configure: time.drive) { api in
            let first = try await api.signIn(DemoUsers.ada)
            let second: TokensResponse = try await api.refresh(first.refreshToken).decoded()
            // Several responses in a row may be lost, or clients may be killed.
            for _ in 1...2 {
                time.advance(by: .seconds(15))
                let again: TokensResponse = try await api.refresh(first.refreshToken).decoded()
                #expect(again.refreshToken == second.refreshToken)
                #expect(again.accessToken != second.accessToken)
            }
            let again: TokensResponse = try await api.refresh(first.refreshToken).decoded()
            #expect(try await api.get("/me", token: again.accessToken).status == 200)
            #expect(try await api.refresh(again.refreshToken).status == 200)
        }
    }

    @Test(.rule("N11")) func `a refresh token reused after the grace period ends the session`() async throws {
        let time = TestTime()
        try await withAPI(configure: time.drive) { api in
            let first = try await api.signIn(DemoUsers.ada)
            let second: TokensResponse = try await api.refresh(first.refreshToken).decoded()
            time.advance(by: .milliseconds(30_001))
            let reused = try await api.refresh(first.refreshToken)
            #expect(reused.status == 401)
            #expect(try reused.error.code == .invalidGrant)
            #expect(try await api.get("/me", token: second.accessToken).status == 401)
            #expect(try await api.refresh(second.refreshToken).status == 401)
        }
    }

    @Test(.rule("N11")) func `a refresh token reused after its successor was used ends the session`() async throws {
        try await withAPI { api in
            let first = try await api.signIn(DemoUsers.ada)
            let second: TokensResponse = try await api.refresh(first.refreshToken).decoded()
            let third: TokensResponse = try await api.refresh(second.refreshToken).decoded()
            #expect(try await api.refresh(first.refreshToken).status == 401)
            #expect(try await api.get("/me", token: third.accessToken).status == 401)
        }
    }

    @Test func `concurrent refreshes of one token return the same successor`() async throws {
        try await withAPI { api in
            let first = try await api.signIn(DemoUsers.ada)
            let successors = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 1...8 {
                    group.addTask {
                        try await api.refresh(first.refreshToken).decoded(as: TokensResponse.self).refreshToken
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(successors.count == 1)
        }
    }

    @Test func `an unknown refresh token is refused`() async throws {
        try await withAPI { api in
            let access = try await api.signIn(DemoUsers.ada).accessToken
            for token in ["", "unknown", access] {
                let answer = try await api.refresh(token)
                #expect(answer.status == 401)
                #expect(try answer.error.code == .invalidGrant)
            }
        }
    }

    @Test func `a session ends if it is not refreshed in time, and each refresh extends it`() async throws {
        let time = TestTime()
        try await withAPI { configuration in
            time.drive(&configuration)
            configuration.sessionLifetime = .seconds(100)
        } _: { api in
            let first = try await api.signIn(DemoUsers.ada)
            time.advance(by: .seconds(99))
            let second: TokensResponse = try await api.refresh(first.refreshToken).decoded()
            time.advance(by: .seconds(99))
            let third: TokensResponse = try await api.refresh(second.refreshToken).decoded()
            time.advance(by: .seconds(100))
            #expect(try await api.refresh(third.refreshToken).status == 401)
        }
    }

    @Test func `a token is accepted only with the scheme Bearer, in upper or lower case`() async throws {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            #expect(try await api.get("/me", authorization: "bearer \(token)").status == 200)
            for authorization in ["Basic \(token)", token, "Bearer", "Bearer \(token) \(token)"] {
                #expect(try await api.get("/me", authorization: authorization).status == 401)
            }
        }
    }

    @Test func `expired sessions and tokens are deleted from the file`() async throws {
        let time = TestTime()
        try await withTemporaryDirectory { directory in
            var configuration = testConfiguration(in: directory)
            time.drive(&configuration)
            configuration.accessTokenLifetime = .seconds(10)
            configuration.sessionLifetime = .seconds(100)
            let database = try DatabaseQueue(path: configuration.databasePath)
            func count(_ table: String) async throws -> Int? {
                try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") }
            }
            try await withAPI(configuration) { api in
                let tokens = try await api.signIn(DemoUsers.ada)
                time.advance(by: .seconds(40))
                _ = try await api.refresh(tokens.refreshToken)
                #expect(try await count("accessToken") == 1)
                time.advance(by: .seconds(100))
                _ = try await api.signIn(DemoUsers.grace)
                for table in ["session", "accessToken", "refreshToken"] { #expect(try await count(table) == 1) }
            }
        }
    }

    @Test func `signing out ends only its own session`() async throws {
        try await withAPI { api in
            let one = try await api.signIn(DemoUsers.ada)
            let other = try await api.signIn(DemoUsers.ada)
            #expect(try await api.post("/logout", token: one.accessToken).status == 204)
            #expect(try await api.get("/me", token: one.accessToken).status == 401)
            #expect(try await api.refresh(one.refreshToken).status == 401)
            #expect(try await api.get("/me", token: other.accessToken).status == 200)
            #expect(try await api.post("/logout", token: one.accessToken).status == 401)
            #expect(try await api.post("/logout").status == 401)
        }
    }

    @Test(.rule("N9")) func `an expired access token can still sign out without a refresh`() async throws {
        let time = TestTime()
        try await withAPI(configure: time.drive) { api in
            let tokens = try await api.signIn(DemoUsers.ada)
            time.advance(by: .seconds(301))
            #expect(try await api.get("/me", token: tokens.accessToken).status == 401)
            #expect(try await api.post("/logout", token: tokens.accessToken).status == 204)
            #expect(try await api.refresh(tokens.refreshToken).status == 401)
        }
    }

    @Test(.rule("N9")) func `a sign-out with old tokens also ends the tokens of an unseen refresh`() async throws {
        let time = TestTime()
        try await withAPI(configure: time.drive) { api in
            let tokens = try await api.signIn(DemoUsers.ada)
            time.advance(by: .seconds(310))
            let unseen: TokensResponse = try await api.refresh(tokens.refreshToken).decoded()
            #expect(try await api.post("/logout", token: tokens.accessToken).status == 204)
            #expect(try await api.get("/me", token: unseen.accessToken).status == 401)
        }
    }
}
