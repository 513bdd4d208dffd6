import BackplaneConformance
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RedactionTests {
    private static func everyRendering(of value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value) \(String(reflecting: value)) \(dumped)"
    }

    @Test func `no description of tokens shows a token`() {
        let tokens = NetworkTokens.named("s3cret", refresh: "s3cret", expiresIn: .seconds(5))
        for value: Any in [tokens, tokens.access, tokens.refresh as Any, [tokens], EndpointBody.json(tokens)] {
            #expect(!Self.everyRendering(of: value).contains("s3cret"))
        }
        #expect("\(tokens)" == "NetworkTokens(redacted, valid for 5.0 seconds)")
        #expect("\(tokens.access)" == "AccessToken(redacted)")
    }

    @Test func `the descriptions of an endpoint do not show the query, the header fields or the body`() {
        var request = EndpointRequest.post("login", query: ["key": "s3cret"], body: .json(["password": "s3cret"]))
        request.headers[.cookie] = "s3cret"
        for value: Any in [request, NonAuthenticatedEndpoint<User>(request), AuthenticatedEndpoint<User>(request)] {
            #expect(!Self.everyRendering(of: value).contains("s3cret"))
        }
        #expect("\(request)" == "EndpointRequest(redacted, POST login)")
    }

    @Test func `an error does not show the server's body or the query`() async throws {
        let server = try ScriptedServer { _ in .json(#"{"echo":"s3cret"}"#, status: 422) }
        let service = try server.service()
        let endpoint = NonAuthenticatedEndpoint<Void>(
            .post("login", query: ["key": "s3cret"], body: .json(["password": "s3cret"]))
        )
        let error = try #require(await networkError { try await service.request(endpoint) })
        #expect(!Self.everyRendering(of: error).contains("s3cret"))
        #expect(
            String(reflecting: error) == """
                POST /login: The server responded with status 422. Repeating the request will \
                not help. See `cause` or `body` for the server's reason.
                """
        )
    }

    @Test func `the error of an undecodable response does not quote the response`() async throws {
        enum Role: String, Decodable {
            case teacher
        }
        let server = try ScriptedServer { _ in .json(#"{"role":"s3cret"}"#) }
        let service = try server.service()
        let error = try #require(
            await networkError { try await service.request(NonAuthenticatedEndpoint<[String: Role]>(.get("x"))) }
        )
        #expect(error.code == .undecodableResponse)
        #expect(!"\(error) \(String(reflecting: error))".contains("s3cret"))
    }

    @Test(.rule("N28"))
    func `the error of an undecodable response shows declared names and no keys of a dictionary`() async throws {
        struct Entry: Decodable {
            var visits: [Int]
        }
        let server = try ScriptedServer { request in
            request.target == "/names"
                ? .json(#"{"ada@example.com":{"visits":[1,"x"]}}"#) : .json(#"{"4711":{"visits":[1,"x"]}}"#)
        }
        let service = try server.service()
        let names = NonAuthenticatedEndpoint<[String: Entry]>(.get("names")).map { _ in }
        let numbers = NonAuthenticatedEndpoint<[Int: Entry]>(.get("numbers")).map { _ in }
        for endpoint in [names, numbers] {
            let error = try #require(await networkError { try await service.request(endpoint) })
            #expect(error.message.contains(#" at "[…].visits[1]"."#))
        }
    }

    @Test func `the log of a session contains its requests but no token and no password`() async throws {
        let log = Watched("")
        let server = try TokenServer(accepting: ["access-0"])
        let service = try server.http.service { options in
            options.observe = { observation in log.update { $0 += "\(observation)\n" } }
        }
        _ = try? await service.request(.login(email: "ada@example.com", password: "s3cret"))
        let account = service.account(tokens: .named("access-9", refresh: "s3cret"))
        _ = try await account.request(.me)
        try await account.signOut(revokingWith: { .revoke($0) })
        let lines = log.value.split(separator: "\n").map { $0.prefix { $0 != "i" } }
        #expect(
            lines == [
                "POST /log", "GET /me 401 ", "POST /token/refresh 200 ", "GET /me 200 ", "POST /token/revoke 204 ",
            ]
        )
        for secret in ["s3cret", "access-", "refresh-", "Bearer", "ada@"] { #expect(!log.value.contains(secret)) }
    }
}
