import CampusModels
import Foundation
import HTTPTypes
import ServiceLifecycle
import Testing

@testable import CampusAPI

/// Tests of requests to the API without a connection.
@Suite(.timeLimit(.minutes(5)))
struct LocalAPITests {
    private func withLocalAPI(_ body: (LocalAPI) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            let (addresses, continuation) = AsyncStream.makeStream(of: CampusAPIServer.Address.self)
            let server = CampusAPIServer(configuration: testConfiguration(in: directory), logger: silentLogger) {
                continuation.yield($0)
            }
            let group = ServiceGroup(services: [server], logger: silentLogger)
            async let running: Void = group.run()
            for await address in addresses {
                try await body(address.local)
                break
            }
            await group.triggerGracefulShutdown()
            try await running
        }
    }

    private func request(_ method: HTTPRequest.Method, _ path: String, token: String? = nil) -> HTTPRequest {
        var request = HTTPRequest(method: method, scheme: "http", authority: "campus", path: path)
        request.headerFields[.contentType] = "application/json"
        if let token { request.headerFields[.authorization] = "Bearer \(token)" }
        return request
    }

    @Test func `a request without a connection takes the same way as one with a connection`() async throws {
        try await withLocalAPI { api in
            let (refusal, problem) = try await api.respond(to: request(.get, "/me"), body: nil)
            #expect(refusal.status == .unauthorized)
            #expect(String(decoding: problem, as: UTF8.self).contains("\"code\""))

            let login = try JSONEncoder().encode(DemoUsers.ada)
            let (accepted, body) = try await api.respond(to: request(.post, "/login"), body: login)
            #expect(accepted.status == .ok)
            let token = try JSONDecoder().decode(TokensResponse.self, from: body).accessToken
            let (found, user) = try await api.respond(to: request(.get, "/me", token: token), body: nil)
            #expect(found.status == .ok)
            #expect(try JSONDecoder().decode(User.self, from: user).email == DemoUsers.ada.email)
            let (missing, _) = try await api.respond(to: request(.get, "/nowhere?a=b", token: token), body: nil)
            #expect(missing.status == .notFound)
            let long = Data(count: APIContext.bodyLimit + 1)
            #expect(try await api.respond(to: request(.post, "/login"), body: long).0.status == .contentTooLarge)
        }
    }

    @Test func `a cancelled request is not sent`() async throws {
        try await withLocalAPI { api in
            let request = request(.get, "/health")
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await api.respond(to: request, body: nil)
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }
}
