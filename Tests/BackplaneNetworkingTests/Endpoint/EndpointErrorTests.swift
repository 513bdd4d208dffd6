import BackplaneTesting
import Foundation
import HTTPTypes
import Testing

@testable import BackplaneNetworking

@Suite(.timeLimit(.minutes(5)))
struct EndpointErrorTests {
    private struct Problem: Error, Decodable, Equatable {
        var title: String
        var retryAt: Date?
    }

    private struct OAuthError: Error, Decodable, Equatable {
        var error: String
    }

    private let api = NetworkStub()
    private let endpoint = NonAuthenticatedEndpoint<Void>(.get("x"))

    @Test(arguments: [400, 401, 404, 422, 500, 503])
    func `the decoded error body of a failure is the cause of the error`(status: Int) async throws {
        api.respond(to: .get, "x", with: .json(#"{"title":"s3cret"}"#, status: HTTPResponse.Status(code: status)))
        let service = try api.service()
        let plain = try #require(await networkError { try await service.request(endpoint) })
        let error = try #require(await networkError { try await service.request(endpoint.errors(as: Problem.self)) })
        #expect(error.cause as? Problem == Problem(title: "s3cret"))
        #expect(plain.cause == nil)
        #expect(error.code == plain.code)
        #expect(error.status == plain.status)
        #expect(error.body == plain.body)
        #expect(error.description == plain.description)
    }

    @Test(arguments: ["<html>Bad gateway</html>", "", "{}", #"{"title":7}"#])
    func `an error body of another type leaves the error unchanged`(body: String) async throws {
        api.respond(to: .get, "x", with: .json(body, status: .badGateway))
        let error = try #require(
            await networkError { try await api.service().request(endpoint.errors(as: Problem.self)) }
        )
        #expect(error.code == .serverFailed)
        #expect(error.cause == nil)
        #expect(error.body == Data(body.utf8))
    }

    @Test func `a redirect has no decoded error body`() async throws {
        api.respond(to: .get, "x", with: .json(#"{"title":"moved"}"#, status: .found))
        let error = await networkError { try await api.service().request(endpoint.errors(as: Problem.self)) }
        #expect(error?.code == .redirected)
        #expect(error?.cause == nil)
    }

    @Test func `the options set the error type of all endpoints, and an endpoint overrides that type`() async throws {
        api.respond(to: .get, "x", with: .json(#"{"title":"no","error":"invalid_grant"}"#, status: .badRequest))
        let service = try api.service { $0.errorType = Problem.self }
        let general = await networkError { try await service.request(endpoint) }
        let own = await networkError { try await service.request(endpoint.errors(as: OAuthError.self)) }
        #expect(general?.cause as? Problem == Problem(title: "no"))
        #expect(own?.cause as? OAuthError == OAuthError(error: "invalid_grant"))
    }

    @Test func `a mapped endpoint keeps its error type and uses the controller's decoder`() async throws {
        api.respond(to: .get, "x", with: .json(#"{"title":"no","retryAt":60}"#, status: .conflict))
        let service = try api.service { $0.decoder.dateDecodingStrategy = .secondsSince1970 }
        let mapped = endpoint.errors(as: Problem.self).map { 7 }
        let error = await networkError { try await service.request(mapped) }
        #expect((error?.cause as? Problem)?.retryAt == Date(timeIntervalSince1970: 60))
    }

    @Test func `an error body longer than the kept part is decoded completely`() async throws {
        let title = String(repeating: "a", count: NetworkError.bodyLimit)
        api.respond(to: .get, "x", with: .json(#"{"title":"\#(title)"}"#, status: .conflict))
        let error = await networkError { try await api.service().request(endpoint.errors(as: Problem.self)) }
        #expect(error?.body?.count == NetworkError.bodyLimit)
        #expect(error?.cause as? Problem == Problem(title: title))
    }

    @Test func `no description of an error shows the decoded error body`() async throws {
        api.respond(to: .get, "x", with: .json(#"{"title":"s3cret"}"#, status: .conflict))
        let error = try #require(
            await networkError { try await api.service().request(endpoint.errors(as: Problem.self)) }
        )
        var dumped = ""
        dump(error, to: &dumped)
        #expect(!"\(error) \(String(reflecting: error)) \(dumped)".contains("s3cret"))
        #expect(dumped.contains("cause: \"Problem\""))
    }
}
