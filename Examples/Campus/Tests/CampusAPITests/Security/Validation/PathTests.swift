import CampusAPI
import CampusModels
import Testing

/// Attacks with percent-encodings in paths, and the methods of routes.
@Suite(.timeLimit(.minutes(5)))
struct PathTests {
    @Test(arguments: [
        ("/catalog/cards", 200), ("/catalog/c%61rds", 200), ("/catalog/c%2561rds", 404), ("/catalog/%zz", 400),
        ("/catalog/cards%", 400), ("/catalog/%FF", 400), ("/catalog/%C0%80", 400), ("/catalog/..%2Fcards", 404),
    ])
    func `a part of a path is percent-decoded exactly once`(path: String, status: Int) async throws {
        try await withAPI { api in
            let reply = try await RawConnection.get(path, from: api)
            #expect(reply.hasPrefix("HTTP/1.1 \(status) "), "\(reply)")
        }
    }

    @Test func `an ID that is too long is refused`() async throws {
        try await withAPI { api in
            let answer = try await api.get("/catalog/" + String(repeating: "x", count: 256))
            #expect(answer.status == 400)
            #expect(try answer.error.message == "The path is longer than 255 bytes; shorten it.")
        }
    }

    @Test(arguments: ["/catalog", "/catalog/cards", "/health", "/me", "/courses", "/messages"])
    func `HEAD returns the head of the response to GET`(path: String) async throws {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let get = try await api.get(path, token: token)
            let head = try await api.head(path, token: token)
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            for field in ["Content-Type", "Content-Length"] { #expect(head.header(field) == get.header(field)) }
        }
    }

    @Test func `HEAD needs a token if GET needs one, and requests that write have no HEAD`() async throws {
        try await withAPI { api async throws in
            #expect(try await api.head("/me").status == 401)
            #expect(try await api.head("/login").status == 404)
        }
    }

    @Test func `HEAD does not count for a fault of requests that write`() async throws {
        try await withAPI {
            $0.faults = try? Faults("reject=/catalog:1")
        } _: { api async throws in
            #expect(try await api.head("/catalog").status == 200)
        }
    }
}
