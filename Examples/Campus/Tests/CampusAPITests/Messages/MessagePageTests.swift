import CampusModels
import GRDB
import Testing

@testable import CampusAPI

/// Tests of the pages of sent messages.
@Suite(.timeLimit(.minutes(5)))
struct MessagePageTests {
    /// Adds messages of Ada with the IDs `m1` to `m`*count*, of which `m1` is the oldest.
    private func seed(_ count: Int, in configuration: CampusAPIServer.Configuration) async throws {
        try await DatabaseQueue(path: configuration.databasePath).write { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
                    INSERT INTO message (id, senderID, text) SELECT 'm' || n, 'ada', 'Message ' || n FROM number
                    """,
                arguments: [count]
            )
            try db.execute(
                sql: """
                    INSERT INTO messageRecipient (messageID, contactID, name, role)
                    SELECT id, 'tutor-babbage', 'Charles Babbage', 'tutor' FROM message
                    """
            )
        }
    }

    /// Runs `body` with an API in which Ada has sent messages, and with Ada's token.
    private func withMessages(_ count: Int, _ body: (APIClient, String) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            let configuration = testConfiguration(in: directory)
            try await withAPI(configuration) { api in
                try await seed(count, in: configuration)
                try await body(api, try await api.signIn(DemoUsers.ada).accessToken)
            }
        }
    }

    private func page(_ query: String, _ api: APIClient, _ token: String) async throws -> MessagePage {
        try await api.get("/messages\(query)", token: token).decoded()
    }

    /// Returns the messages of all pages of this size, in the order of the pages.
    private func all(by limit: Int, _ api: APIClient, _ token: String) async throws -> [Message] {
        var last = try await page("?limit=\(limit)", api, token)
        var messages = last.messages
        while let next = last.next {
            last = try await page("?limit=\(limit)&before=\(next)", api, token)
            messages += last.messages
        }
        return messages
    }

    private func ids(_ numbers: some Sequence<Int>) -> [Message.ID] {
        numbers.map { Message.ID(rawValue: "m\($0)") }
    }

    @Test func `a page has the newest 20 messages, and a cursor for the older ones`() async throws {
        try await withMessages(45) { api, token in
            let first = try await page("", api, token)
            #expect(first.messages.map(\.id) == ids((26...45).reversed()))
            #expect(first.messages.first?.recipients.map(\.name) == ["Charles Babbage"])
            #expect(first.next == "m26")
            let second = try await page("?before=m26", api, token)
            #expect(second.messages.map(\.id) == ids((6...25).reversed()))
            let third = try await page("?before=m6&limit=20", api, token)
            #expect(third.messages.map(\.id) == ids((1...5).reversed()))
            #expect(third.next == nil)
        }
    }

    @Test func `the last page may be full, and there is nothing before the oldest message`() async throws {
        try await withMessages(4) { api, token in
            let last = try await page("?limit=2&before=m3", api, token)
            #expect(last.messages.map(\.id) == ["m2", "m1"])
            #expect(last.next == nil)
            #expect(try await page("?before=m1", api, token) == MessagePage(messages: []))
        }
    }

    @Test func `5,000 messages are each on one page, in order`() async throws {
        try await withMessages(5000) { api, token in
            let all = try await all(by: 100, api, token).map(\.id)
            #expect(all == ids((1...5000).reversed()))
            #expect(try await page("", api, token).messages.count == 20)
        }
    }

    @Test func `messages that are sent at the same moment have one order`() async throws {
        let time = TestTime()
        try await withAPI {
            time.drive(&$0)
        } _: { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...6 {
                    group.addTask {
                        let message = NewMessage(recipients: ["tutor-babbage"], text: "\(number)")
                        _ = try await api.post("/messages", message, token: token)
                    }
                }
                try await group.waitForAll()
            }
            let messages = try await page("", api, token).messages
            #expect(Set(messages.map(\.text)) == ["1", "2", "3", "4", "5", "6"])
            for limit in 1...6 { #expect(try await all(by: limit, api, token) == messages) }
        }
    }

    @Test func `a message that is sent between two pages is not on an older page`() async throws {
        try await withMessages(6) { api, token in
            let first = try await page("?limit=2", api, token)
            let new = NewMessage(recipients: ["tutor-babbage"], text: "New")
            let sent: Message = try await api.post("/messages", new, token: token).decoded()
            let next = try #require(first.next)
            let second = try await page("?limit=2&before=\(next)", api, token)
            #expect((first.messages + second.messages).map(\.id) == ids((3...6).reversed()))
            #expect(try await page("?limit=2", api, token).messages.map(\.id) == [sent.id, "m6"])
        }
    }

    @Test(arguments: ["0", "-1", "101", "ten", "", "1.5", "9999999999999999999999"])
    func `a limit that is not from 1 to 100 is refused`(limit: String) async throws {
        try await withMessages(1) { api, token in
            let answer = try await api.get("/messages?limit=\(limit)", token: token)
            #expect(answer.status == 400)
            #expect(try answer.error == APIError(code: .badRequest, message: "'limit' must be a number from 1 to 100."))
        }
    }

    @Test(arguments: ["nothing", "", "%F0%9F%90%9D", "m1'%20OR%20''='"])
    func `a page before an unknown message is refused`(id: String) async throws {
        try await withMessages(1) { api, token in
            let answer = try await api.get("/messages?before=\(id)", token: token)
            #expect(answer.status == 400)
            #expect(try answer.error.message.hasPrefix("'before' is not one of your messages."))
        }
    }

    @Test func `a message of another user is refused like an unknown message`() async throws {
        try await withMessages(1) { api, _ in
            let grace = try await api.signIn(DemoUsers.grace).accessToken
            let answer = try await api.get("/messages?before=m1", token: grace)
            let unknown = try await api.get("/messages?before=nothing", token: grace)
            #expect(answer.status == 400)
            #expect(answer.body == unknown.body)
        }
    }

    @Test func `a page is read from the index, without sorting`() async throws {
        try await withTemporaryDirectory { directory in
            let configuration = testConfiguration(in: directory)
            let database = try CampusDatabase(
                path: configuration.databasePath,
                passwordCost: configuration.passwordCost
            )
            let steps = try await database.pool.read { db in
                try Row.fetchAll(
                    db,
                    sql: "EXPLAIN QUERY PLAN \(MessageStore.pageQuery)",
                    arguments: ["ada", 1, 20]
                ).map { $0["detail"] as String }
            }
            #expect(steps == ["SEARCH message USING INDEX messageBySender (senderID=? AND rowid<?)"])
        }
    }
}
