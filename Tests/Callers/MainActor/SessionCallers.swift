import BackplaneNetworking
import Foundation
import HTTPTypes
import Testing

nonisolated struct User: Codable, Sendable, Equatable {
    let name: String
}

extension Endpoint where Access == AuthenticatedNetworkController, Response == User {
    nonisolated static var me: Self { Endpoint(.get("me")) }
}

extension Endpoint where Access == NonAuthenticatedNetworkController, Response == NetworkTokens {
    nonisolated static func refresh(_ token: RefreshToken) -> Self {
        Endpoint(.post("token", body: .json(token.rawValue)))
    }
}

nonisolated struct Service: NetworkTransport {
    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        (HTTPResponse(status: .ok), try JSONEncoder().encode(User(name: "Ada")))
    }
}

final class Session {
    private(set) var user: User?
    private let networking: AuthenticatedNetworkController

    init(url: URL, tokens: NetworkTokens) throws {
        let service = try NonAuthenticatedNetworkController(baseURL: url, transport: Service())
        networking = AuthenticatedNetworkController(over: service, tokens: tokens, vault: MemoryTokenVault()) { event in
            Issue.record("\(event.code)")
        } refresh: { token in
            .refresh(token)
        }
    }

    func sync() async throws {
        user = try await networking.request(.me)
    }
}

struct SessionCallers {
    @Test func `a main-actor session sends a request`() async throws {
        let url = try #require(URL(string: "https://api.example"))
        let session = try Session(url: url, tokens: NetworkTokens(access: AccessToken(rawValue: "a")))
        try await session.sync()
        #expect(session.user == User(name: "Ada"))
    }
}
