import CampusAPI
import CampusModels
import Foundation
import Testing

/// Attacks with bodies that are too large or broken.
@Suite(.timeLimit(.minutes(5)))
struct BodyLimitTests {
    private static let large =
        #"{"product": "cards", "isDone": true, "padding": ""#
        + String(repeating: "x", count: 20_000) + #""}"#

    @Test(arguments: [
        "/login", "/token/refresh", "/logout", "/purchases", "/messages", "/favorites/cards",
        "/courses/abc123/todos/abc123-1",
    ])
    func `a body that is too large is refused on every route`(path: String) async throws {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let method = path.hasPrefix("/favorites") || path.hasPrefix("/courses") ? "PUT" : "POST"
            let body = Data(Self.large.utf8)
            let answer = try await api.send(method, path, body: body, token: token)
            #expect(answer.status == 413)
            #expect(try answer.error.code == .contentTooLarge)
        }
    }

    @Test func `a body without a declared length is limited, too`() async throws {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let size = String(Self.large.utf8.count, radix: 16)
            let reply = try await RawConnection.reply(
                to: """
                    POST /purchases HTTP/1.1\r
                    Host: localhost\r
                    Authorization: Bearer \(token)\r
                    Connection: close\r
                    Transfer-Encoding: chunked\r
                    \r
                    \(size)\r
                    \(Self.large)\r
                    0\r
                    \r

                    """,
                from: api
            )
            #expect(reply.hasPrefix("HTTP/1.1 413 "), "\(reply)")
        }
    }

    @Test(arguments: ["ZZ\r\n{}\r\n0\r\n\r\n", "-1\r\n{}\r\n", "FFFFFFFFFFFFFFFFF\r\n"])
    func `a body with malformed chunks is a bad request`(chunks: String) async throws {
        try await withAPI { api in
            let head = "POST /login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
            let reply = try await RawConnection.reply(to: head + chunks, from: api)
            #expect(reply.hasPrefix("HTTP/1.1 400 "), "\(reply)")
        }
    }

    @Test func `a message of one character with too many combining marks is refused`() async throws {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let text = "e" + String(repeating: "\u{301}", count: 4000)
            #expect(text.count == 1)
            let message = NewMessage(recipients: ["tutor-babbage"], text: text)
            #expect(try await api.post("/messages", message, token: token).status == 422)
        }
    }
}
