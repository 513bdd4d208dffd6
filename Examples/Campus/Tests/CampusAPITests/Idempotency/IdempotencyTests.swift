import CampusAPI
import CampusModels
import CampusTestTools
import Foundation
import GRDB
import Testing

/// D9: tests that a request repeated with its key takes effect once.
@Suite(.timeLimit(.minutes(5)))
struct IdempotencyTests {
    private let hello = NewMessage(recipients: ["tutor-babbage"], text: "Hello.")

    private func messages(_ api: APIClient, _ token: String) async throws -> [Message] {
        try await api.get("/messages", token: token).decoded(as: MessagePage.self).messages
    }

    @Test(.rule("D9")) func `the same request with the same key gets the same response and takes effect once`()
        async throws
    {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let first = try await api.post("/messages", hello, token: token, key: "k1")
            let again = try await api.post("/messages", hello, token: token, key: "k1")
            #expect(first.status == 201)
            #expect(again.status == 201)
            #expect(again.body == first.body)
            #expect(again.header("Content-Type") == first.header("Content-Type"))
            #expect(try await messages(api, token) == [first.decoded()])
            let other = try await api.post("/messages", hello, token: token, key: "k2")
            #expect(other.body != first.body)
            _ = try await api.post("/messages", hello, token: token)
            _ = try await api.post("/messages", hello, token: token)
            #expect(try await messages(api, token).count == 4, "without a key each request counts")
        }
    }

    @Test(.rule("D9")) func `concurrent requests with one key take effect once`() async throws {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let hello = hello
            let bodies = try await withThrowingTaskGroup(of: Data.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await api.post("/messages", hello, token: token, key: "k").body }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(bodies.count == 1)
            #expect(try await messages(api, token).count == 1)
        }
    }

    @Test(.rule("D9")) func `the same key with another request is refused and changes nothing`() async throws {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            #expect(try await api.post("/messages", hello, token: token, key: "k").status == 201)
            let other = NewMessage(recipients: hello.recipients, text: "Goodbye.")
            let answer = try await api.post("/messages", other, token: token, key: "k")
            #expect(answer.status == 422)
            #expect(try answer.error.code == .keyReused)
            #expect(try await messages(api, token).map(\.text) == ["Hello."])
        }
    }

    @Test(.rule("D9")) func `the order of a request's members does not matter`() async throws {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let bodies = try await [
                api.post("/messages", text: #"{"text":"Hi","recipients":["tutor-babbage"]}"#, token: token, key: "k")
                    .body,
                api.post("/messages", text: #"{"recipients":["tutor-babbage"], "text":"Hi"}"#, token: token, key: "k")
                    .body,
            ]
            #expect(bodies[0] == bodies[1])
            #expect(try await messages(api, token).count == 1)
        }
    }

    @Test(.rule("D9")) func `the same key of another user is a different key`() async throws {
        try await withAPI { api in
            let ada = try await api.signIn(DemoUsers.ada).accessToken
            let grace = try await api.signIn(DemoUsers.grace).accessToken
            let toNoether = NewMessage(recipients: ["tutor-noether"], text: "Hello.")
            let adas = try await api.post("/messages", toNoether, token: ada, key: "k")
            let graces = try await api.post("/messages", toNoether, token: grace, key: "k")
            #expect(graces.status == 201)
            #expect(graces.body != adas.body)
        }
    }

    @Test(.rule("D9")) func `a failed write is not stored under its key and may succeed later`() async throws {
        try await withAPI {
            $0.faults = try? Faults("fail=/messages:1")
        } _: { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            #expect(try await api.post("/messages", hello, token: token, key: "k").status == 503)
            #expect(try await api.post("/messages", hello, token: token, key: "k").status == 201)
            let stranger = NewMessage(recipients: ["tutor-knuth"], text: "Hello.")
            #expect(try await api.post("/messages", stranger, token: token, key: "k2").status == 422)
            #expect(try await api.post("/messages", hello, token: token, key: "k2").status == 201)
        }
    }

    @Test(.rule("D9")) func `keys are kept after the server ends, and are deleted after a day`() async throws {
        try await withTemporaryDirectory { directory in
            let time = TestTime()
            var configuration = testConfiguration(in: directory)
            time.drive(&configuration)
            let first = try await withAPI(configuration) { api in
                let token = try await api.signIn(DemoUsers.ada).accessToken
                return try await api.post("/messages", hello, token: token, key: "k")
            }
            time.advance(by: .seconds(24 * 3600 - 1))
            try await withAPI(configuration) { api in
                let token = try await api.signIn(DemoUsers.ada).accessToken
                #expect(try await api.post("/messages", hello, token: token, key: "k").body == first.body)
                time.advance(by: .seconds(1))
                #expect(try await api.post("/messages", hello, token: token, key: "other").status == 201)
            }
            let keys = try await DatabaseQueue(path: configuration.databasePath).read { db in
                try String.fetchAll(db, sql: "SELECT key FROM idempotentAnswer")
            }
            #expect(keys == ["other"])
        }
    }

    @Test(arguments: ["", String(repeating: "k", count: 256)])
    func `an empty or too long key is refused`(key: String) async throws {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let answer = try await api.post("/messages", hello, token: token, key: key)
            #expect(answer.status == 400)
            #expect(try answer.error.message.contains("Idempotency-Key"))
        }
    }
}
