import BackplaneConformance
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EndpointTests {
    @Test func `a request contains everything that its endpoint declares`() async throws {
        let server = try ScriptedServer { _ in .json(#"{"name":"Ada"}"#) }
        let endpoint = NonAuthenticatedEndpoint<User>(
            .put(
                "users/\("a b")",
                query: ["notify": "no"],
                headers: [.acceptLanguage: "vi"],
                body: .json(["name": "Ada"])
            )
        )
        #expect(try await server.service().request(endpoint) == User(name: "Ada"))
        let request = try #require(server.requests.first)
        #expect(request.method == "PUT")
        #expect(request.target == "/users/a%20b?notify=no")
        #expect(request.headers["accept-language"] == "vi")
        #expect(request.headers["content-type"] == "application/json")
        #expect(request.headers["accept"] == "application/json")
        #expect(request.headers["authorization"] == nil)
        #expect(String(decoding: request.body, as: UTF8.self) == #"{"name":"Ada"}"#)
    }

    @Test func `a JSON body has sorted keys, so that a repeated request has the same bytes`() async throws {
        let server = try ScriptedServer { _ in .status(204) }
        let names = Dictionary(uniqueKeysWithValues: (0..<20).map { ("key\($0)", $0) })
        try await server.service().request(NonAuthenticatedEndpoint<Void>(.post("x", body: .json(names))))
        let request = try #require(server.requests.first)
        let pairs = names.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }
        #expect(String(decoding: request.body, as: UTF8.self) == "{\(pairs.joined(separator: ","))}")
    }

    @Test func `header fields of an endpoint override header fields of the controller`() async throws {
        let server = try ScriptedServer { _ in .status(204) }
        let endpoint = NonAuthenticatedEndpoint<User>(
            .post("x", headers: [.accept: "text/plain", .contentType: "text/csv"], body: .json(["name": "Ada"]))
        )
        _ = try? await server.service().request(endpoint)
        let request = try #require(server.requests.first)
        #expect(request.headers["accept"] == "text/plain")
        #expect(request.headers["content-type"] == "text/csv")
    }

    @Test(arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
    func `every method reaches the server`(method: String) async throws {
        let requests: [String: EndpointRequest] = [
            "GET": .get("x"), "HEAD": EndpointRequest(method: .head, path: "x"), "POST": .post("x"), "PUT": .put("x"),
            "PATCH": .patch("x"),
            "DELETE": .delete("x"),
        ]
        let server = try ScriptedServer { _ in .status(204) }
        try await server.service().request(NonAuthenticatedEndpoint<Void>(try #require(requests[method])))
        #expect(server.requests.map(\.method) == [method])
    }

    @Test func `raw data is returned unchanged and requested without the JSON media type`() async throws {
        let server = try ScriptedServer { _ in .json("not json") }
        let data = try await server.service().request(NonAuthenticatedEndpoint<Data>(.get("x")))
        #expect(data == Data("not json".utf8))
        #expect(server.requests.first?.headers["accept"] != "application/json")
    }

    @Test func `a mapping can use the status and the header fields of the response`() async throws {
        let server = try ScriptedServer { _ in
            ScriptedServer.Reply(headers: ["ETag": "\"1\""], body: Data(#"{"name":"Ada"}"#.utf8))
        }
        let endpoint = NonAuthenticatedEndpoint<User>(.get("x")).map { answer, user in
            "\(user.name) \(answer.status.code) \(answer.headerFields[.eTag] ?? "none")"
        }
        #expect(try await server.service().request(endpoint) == "Ada 200 \"1\"")
    }

    @Test func `an optional response is nil if the response has no body`() async throws {
        let server = try ScriptedServer { request in
            request.target == "/none" ? .status(204) : .json(request.target == "/null" ? "null" : #"{"name":"Ada"}"#)
        }
        let service = try server.service()
        #expect(try await service.request(NonAuthenticatedEndpoint<User?>(.get("none"))) == nil)
        #expect(try await service.request(NonAuthenticatedEndpoint<User?>(.get("null"))) == nil)
        #expect(try await service.request(NonAuthenticatedEndpoint<User?>(.get("some"))) == User(name: "Ada"))
        #expect(server.requests.map { $0.headers["accept"] } == Array(repeating: "application/json", count: 3))
        let keyed = IdempotentEndpoint<NonAuthenticatedNetworkController, User?>(.delete("none"))
        #expect(try await service.request(keyed, key: "1") == nil)
        let error = await networkError { try await service.request(NonAuthenticatedEndpoint<User>(.get("none"))) }
        #expect(error?.code == .undecodableResponse)
    }

    @Test func `a form is sent in the encoding that OAuth 2.0 requires`() async throws {
        // This test uses a stub, because a real client treats a body without a media type as a
        // form.
        let api = NetworkStub()
        api.respond(to: .post, "token", with: .status(.noContent))
        let body = EndpointBody.form(["grant_type": "password", "password": "a&b=c+d é", "scope": nil, "max": 7])
        try await api.service().request(NonAuthenticatedEndpoint<Void>(.post("token", body: body)))
        let request = try #require(api.requests.first)
        #expect(request.headerFields[.contentType] == "application/x-www-form-urlencoded")
        #expect(
            String(decoding: request.body ?? Data(), as: UTF8.self)
                == "grant_type=password&password=a%26b%3Dc%2Bd%20%C3%A9&max=7"
        )
    }

    @Test func `a request uses the coders of the options`() async throws {
        struct Event: Codable, Equatable {
            let startsAt: Date
        }
        let server = try ScriptedServer { _ in .json(#"{"starts_at":"1970-01-01T00:01:00Z"}"#) }
        let service = try server.service { options in
            options.decoder.keyDecodingStrategy = .convertFromSnakeCase
            options.decoder.dateDecodingStrategy = .iso8601
            options.encoder.keyEncodingStrategy = .convertToSnakeCase
            options.encoder.dateEncodingStrategy = .iso8601
        }
        let event = Event(startsAt: Date(timeIntervalSince1970: 60))
        let endpoint = NonAuthenticatedEndpoint<Event>(.post("x", body: .json(event)))
        #expect(try await service.request(endpoint) == event)
        #expect(server.requests.first?.body == Data(#"{"starts_at":"1970-01-01T00:01:00Z"}"#.utf8))
    }

    @Test func `the path of the base URL precedes the path of the endpoint`() async throws {
        let server = try ScriptedServer { _ in .status(204) }
        let url = try #require(URL(string: server.url + "/api/v1/"))
        let service = try NonAuthenticatedNetworkController(baseURL: url)
        try await service.request(NonAuthenticatedEndpoint<Void>(.get("/courses")))
        #expect(server.requests.map(\.target) == ["/api/v1/courses"])
    }

    @Test func `a body that cannot be encoded throws an error before sending`() async throws {
        let server = try ScriptedServer { _ in .status(204) }
        let service = try server.service()
        let endpoint = NonAuthenticatedEndpoint<Void>(.post("x", body: .json(["price": Double.nan])))
        let error = await networkError { try await service.request(endpoint) }
        #expect(error?.code == .invalidEndpoint)
        #expect(error?.cause is EncodingError)
        #expect(server.requests.isEmpty)
    }
}
