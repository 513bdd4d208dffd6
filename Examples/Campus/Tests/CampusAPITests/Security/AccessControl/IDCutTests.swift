import CampusAPI
import CampusModels
import Testing

/// Attacks that reach a resource under another name.
@Suite(.timeLimit(.minutes(5)))
struct IDCutTests {
    @Test func `a product is not sold under an ID with a NUL`() async throws {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let answer = try await api.post("/purchases", NewPurchase(product: "cards\u{0}x"), token: token, key: "k")
            #expect(answer.status == 422)
            #expect(try await api.get("/purchases", token: token).decoded(as: [Purchase].self).isEmpty)
        }
    }

    @Test(arguments: [
        ("GET", "/catalog/cards%00x"), ("GET", "/courses/abc123%00x"), ("GET", "/courses/abc123%00/tutor"),
        ("PUT", "/favorites/cards%00x"), ("DELETE", "/favorites/cards%0A"), ("DELETE", "/sessions/x%00"),
        ("GET", "/messages?before=x%00"),
    ])
    func `a path with a control character is refused`(method: String, path: String) async throws {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let reply = try await RawConnection.get(path, token: token, method: method, from: api)
            #expect(reply.hasPrefix("HTTP/1.1 400 "), "\(reply)")
            #expect(reply.contains("has a control character"))
        }
    }

    @Test func `a message is not sent to a contact under an ID with a NUL`() async throws {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let message = NewMessage(recipients: ["tutor-babbage\u{0}x"], text: "Hi")
            #expect(try await api.post("/messages", message, token: token).status == 422)
        }
    }
}
