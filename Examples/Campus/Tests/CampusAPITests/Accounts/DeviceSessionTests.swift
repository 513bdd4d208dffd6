import CampusAPI
import CampusModels
import Foundation
import GRDB
import Testing

/// Tests of the list of a user's sessions.
@Suite(.timeLimit(.minutes(5)))
struct DeviceSessionTests {
    private static let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"

    private func sessions(_ api: APIClient, _ tokens: TokensResponse) async throws -> [DeviceSession] {
        try await api.get("/sessions", token: tokens.accessToken).decoded()
    }

    @Test func `a user sees each session's client and times, and which session is current`() async throws {
        let time = TestTime()
        try await withAPI(configure: time.drive) { api in
            let beginning = Timestamp(time.now)
            let old = try await api.signIn(DemoUsers.ada, with: Self.firefox)
            time.advance(by: .seconds(60))
            let new = try await api.signIn(DemoUsers.ada)
            _ = try await api.signIn(DemoUsers.grace)

            let seenByNew = try await sessions(api, new)
            #expect(seenByNew.map(\.label) == [nil, "Firefox on Linux"])
            #expect(seenByNew.map(\.isCurrent) == [true, false])
            #expect(seenByNew.map(\.begunAt) == [Timestamp(time.now), beginning])
            #expect(seenByNew.map(\.refreshedAt) == [Timestamp(time.now), beginning])
            #expect(
                try await sessions(api, old).map(\.label) == ["Firefox on Linux", nil],
                "the current session is first"
            )
        }
    }

    @Test func `a refresh updates the session's time and keeps its ID`() async throws {
        let time = TestTime()
        try await withAPI(configure: time.drive) { api in
            let first = try await api.signIn(DemoUsers.ada)
            let before = try #require(try await sessions(api, first).first)
            time.advance(by: .seconds(60))
            let second: TokensResponse = try await api.refresh(first.refreshToken).decoded()
            let after = try #require(try await sessions(api, second).first)
            #expect(after.id == before.id)
            #expect(after.begunAt == before.begunAt)
            #expect(after.refreshedAt == Timestamp(time.now))
        }
    }

    @Test func `ending a session invalidates only its own tokens`() async throws {
        try await withAPI { api in
            let mine = try await api.signIn(DemoUsers.ada)
            let other = try await api.signIn(DemoUsers.ada)
            let id = try #require(try await sessions(api, other).first).id
            #expect(try await api.delete("/sessions/\(id)", token: mine.accessToken).status == 204)
            #expect(try await api.get("/me", token: other.accessToken).status == 401)
            #expect(try await api.refresh(other.refreshToken).error.code == .invalidGrant)
            #expect(try await sessions(api, mine).map(\.isCurrent) == [true])
            #expect(try await api.delete("/sessions/\(id)", token: mine.accessToken).status == 404)
        }
    }

    @Test func `a session can end itself`() async throws {
        try await withAPI { api in
            let tokens = try await api.signIn(DemoUsers.ada)
            let id = try #require(try await sessions(api, tokens).first).id
            #expect(try await api.delete("/sessions/\(id)", token: tokens.accessToken).status == 204)
            #expect(try await api.get("/me", token: tokens.accessToken).status == 401)
        }
    }

    @Test func `a user cannot see or end another user's session`() async throws {
        try await withAPI { api in
            let ada = try await api.signIn(DemoUsers.ada)
            let grace = try await api.signIn(DemoUsers.grace)
            let id = try #require(try await sessions(api, grace).first).id
            #expect(try await sessions(api, ada).map(\.id).contains(id) == false)
            for path in ["/sessions/\(id)", "/sessions/nothing"] {
                let answer = try await api.delete(path, token: ada.accessToken)
                #expect(answer.status == 404)
                #expect(try answer.error.code == .notFound)
            }
            #expect(try await api.get("/me", token: grace.accessToken).status == 200)
        }
    }

    @Test func `all other sessions of the user can be ended at once`() async throws {
        try await withAPI { api in
            let mine = try await api.signIn(DemoUsers.ada)
            let others = [try await api.signIn(DemoUsers.ada), try await api.signIn(DemoUsers.ada)]
            let grace = try await api.signIn(DemoUsers.grace)
            #expect(try await api.delete("/sessions", token: mine.accessToken).status == 204)
            for other in others { #expect(try await api.get("/me", token: other.accessToken).status == 401) }
            for spared in [mine, grace] { #expect(try await api.get("/me", token: spared.accessToken).status == 200) }
        }
    }

    @Test func `an expired session is not listed and cannot be ended`() async throws {
        let time = TestTime()
        try await withAPI { configuration in
            time.drive(&configuration)
            configuration.sessionLifetime = .seconds(100)
        } _: { api in
            let old = try await api.signIn(DemoUsers.ada)
            let id = try #require(try await sessions(api, old).first).id
            time.advance(by: .seconds(99))
            let new = try await api.signIn(DemoUsers.ada)
            #expect(try await sessions(api, new).count == 2)
            time.advance(by: .seconds(1))
            #expect(try await sessions(api, new).count == 1)
            #expect(try await api.delete("/sessions/\(id)", token: new.accessToken).status == 404)
        }
    }

    @Test func `the ID of an ended session is not reused`() async throws {
        try await withAPI { api in
            let mine = try await api.signIn(DemoUsers.ada)
            let ended = try await api.signIn(DemoUsers.ada)
            let id = try #require(try await sessions(api, ended).first).id
            _ = try await api.post("/logout", token: ended.accessToken)
            let next = try await api.signIn(DemoUsers.ada)
            #expect(try await api.delete("/sessions/\(id)", token: mine.accessToken).status == 404)
            #expect(try await api.get("/me", token: next.accessToken).status == 200)
        }
    }

    @Test(arguments: [("GET", "/sessions"), ("DELETE", "/sessions"), ("DELETE", "/sessions/1")])
    func `sessions cannot be listed or ended without a token`(method: String, path: String) async throws {
        try await withAPI { api in
            let answer = try await method == "GET" ? api.get(path) : api.delete(path)
            #expect(answer.status == 401)
            #expect(try answer.error.code == .invalidToken)
        }
    }

    @Test func `a session from before the list of sessions stays valid and is listed`() async throws {
        try await withTemporaryDirectory { directory in
            let configuration = testConfiguration(in: directory)
            let tokens = try await withAPI(configuration) { try await $0.signIn(DemoUsers.ada, with: Self.firefox) }
            try await DatabaseQueue(path: configuration.databasePath).write { db in
                try db.execute(sql: "DROP INDEX sessionByPublicID")
                for column in ["publicID", "label", "begunAt", "refreshedAt"] {
                    try db.execute(sql: "ALTER TABLE session DROP COLUMN \(column)")
                }
                try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'sessions'")
            }
            let before = Timestamp(Date())
            try await withAPI(configuration) { api in
                let all = try await sessions(api, tokens)
                #expect(all.map(\.isCurrent) == [true])
                #expect(all.map(\.label) == [nil])
                #expect(all.first.map { $0.begunAt >= before && $0.refreshedAt >= before } == true)
                #expect(all.first?.id.rawValue.isEmpty == false)
            }
        }
    }
}
