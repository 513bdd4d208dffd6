import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneNetworking

/// The bytes of requests that are written to a file.
struct FrozenRequestTests {
    private let api = NetworkStub()

    /// Sends the request of an endpoint directly, and then through its frozen form.
    private func sentTwice(_ request: EndpointRequest) async throws -> [StubbedRequest] {
        let endpoint = AuthenticatedIdempotentEndpoint<Void>(request)
        let account = try api.account()
        _ = try? await account.request(endpoint.idempotencyKey("1"))
        let frozen = try #require(FrozenRequest(account.freeze(endpoint)))
        _ = try? await account.send(frozen, key: "1", entityTag: nil, as: account.signIn, noting: Departure())
        return api.requests
    }

    @Test(
        .rule("N30"),
        arguments: [
            "text/plain\nX-Admin: 1", "text/plain\r\nX-Admin: 1\r\n\r\nbody", "text/plain\n\nbody", " text/plain ", "",
        ]
    )
    func `a frozen request has no additional fields for its media type`(type: String) async throws {
        api.respond(to: .post, "x", with: .status(.ok))
        let requests = try await sentTwice(.post("x", body: .data(Data("text".utf8), contentType: type)))
        try #require(requests.count == 2)
        #expect(requests[1].headerFields == requests[0].headerFields)
        #expect(requests[1].body == Data("text".utf8))
    }

    @Test(.rule("N30"), arguments: ["x", "//a/b", "///a", "a//b/", "a%2Fb"])
    func `a frozen request has the path that would have been sent`(path: String) async throws {
        let path = EndpointPath(stringLiteral: path)
        api.respond(to: .put, path.encoded, with: .status(.ok))
        api.respond(to: .put, "/" + path.encoded, with: .status(.ok))
        let requests = try await sentTwice(
            .put(path, query: ["a": "b?c"], headers: [.accept: "a", .acceptLanguage: "vi"])
        )
        try #require(requests.count == 2)
        #expect(requests[1].description == requests[0].description)
        #expect(requests[1].headerFields == requests[0].headerFields)
        #expect(requests[1].body == nil)
    }

    @Test(.rule("N30")) func `a frozen request may have no time limit`() throws {
        let endpoint = AuthenticatedEndpoint<Void>(.put("x")).timeout(.seconds(Int64.max))
        let frozen = try api.account().freeze(AuthenticatedIdempotentEndpoint(needingKey: endpoint))
        #expect(FrozenRequest(frozen) != nil)
    }

    @Test(.rule("N24"), arguments: [("\"1\"", "\"1\""), ("W/\"1\"", nil), (nil, nil)])
    func `a weak entity tag is not used as a precondition`(tag: String?, field: String?) async throws {
        api.respond(to: .put, "x", with: StubbedResponse(.ok, headerFields: tag.map { [.eTag: $0] } ?? [:]))
        let account = try api.account()
        let frozen = try #require(FrozenRequest(account.freeze(AuthenticatedIdempotentEndpoint<Void>(.put("x")))))
        let reply = try await account.send(frozen, key: "1", entityTag: tag, as: account.signIn, noting: Departure())
        #expect(api.requests.first?.headerFields[.ifMatch] == field)
        #expect(reply.entityTag == field)
    }
}
