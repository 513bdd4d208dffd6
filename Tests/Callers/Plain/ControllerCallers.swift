import BackplaneNetworking
import Foundation
import HTTPTypes
import Testing

/// A service that accepts one access token.
private struct Service: NetworkTransport {
    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        switch (request.path, request.headerFields[.authorization]) {
        case ("/v1/token", _):
            (
                HTTPResponse(status: .ok),
                Data(#"{"access_token": "new", "refresh_token": "next", "expires_in": 60}"#.utf8)
            )
        case ("/v1/me", "Bearer new"), ("/v1/logout", _):
            (HTTPResponse(status: .ok), Data("ada".utf8))
        case ("/v1/me", _):
            (HTTPResponse(status: .unauthorized), Data())
        default:
            (HTTPResponse(status: .notFound), Data(#""nobody here""#.utf8))
        }
    }
}

private actor Drawer: TokenVault {
    private(set) var tokens: NetworkTokens?

    func load() async throws -> NetworkTokens? { tokens }
    func save(_ tokens: NetworkTokens) async throws { self.tokens = tokens }
    func clear() async throws { tokens = nil }
}

extension Endpoint where Access == NonAuthenticatedNetworkController, Response == NetworkTokens {
    fileprivate static func refresh(_ token: RefreshToken) -> Self {
        Endpoint(.post("token", body: .json(["refresh_token": token.rawValue])))
    }
}

struct ControllerCallers {
    private let me = AuthenticatedEndpoint<Data>(.get("me"))
    private let url = URL(string: "https://api.example/v1") ?? URL(fileURLWithPath: "/")

    @Test func `refreshed tokens are saved in the vault`() async throws {
        var options = NetworkOptions()
        options.timeout = .seconds(600)
        options.responseLimit = 1024
        options.decoder.dateDecodingStrategy = .iso8601
        options.encoder.outputFormatting = .sortedKeys
        options.clock = ContinuousClock()
        options.observe = { observation in #expect(observation.path.hasPrefix("/v1")) }
        let service = try NonAuthenticatedNetworkController(baseURL: url, transport: Service(), options: options)
        let vault = Drawer()
        let old = NetworkTokens(access: AccessToken(rawValue: "old"), refresh: RefreshToken(rawValue: "first"))
        let controller = AuthenticatedNetworkController(
            over: service,
            tokens: old,
            vault: vault,
            onEvent: { event in Issue.record("\(event.code)") },
            refresh: { token in .refresh(token) }
        )
        #expect(try await controller.request(me) == Data("ada".utf8))
        #expect(await vault.tokens?.access == AccessToken(rawValue: "new"))
        try await vault.withLock {}
        try await controller.signOut { _ in NonAuthenticatedEndpoint(.post("logout")) }
        #expect(!controller.isSignedIn)
        #expect(await vault.tokens == nil)
    }

    @Test func `most parameters have defaults`() async throws {
        let service = try NonAuthenticatedNetworkController(baseURL: url, transport: Service())
        let full = NetworkTokens(
            access: AccessToken(rawValue: "new"),
            refresh: nil,
            expiresIn: .seconds(60),
            receivedAt: Date()
        )
        let controller = AuthenticatedNetworkController(over: service, tokens: full) { .refresh($0) }
        #expect(try await controller.request(me) == Data("ada".utf8))
        try await controller.signOut()
        try await controller.signIn(with: NetworkTokens(access: AccessToken(rawValue: "new")))
        #expect(controller.isSignedIn)
        try await controller.signOut(revokingWith: nil)
        _ = try NonAuthenticatedNetworkController(baseURL: url)
        _ = try NonAuthenticatedNetworkController(baseURL: url, transport: URLSessionTransport())
    }

    @Test func `an error contains the response of the service`() async throws {
        let service = try NonAuthenticatedNetworkController(baseURL: url, transport: Service())
        do {
            try await service.request(NonAuthenticatedEndpoint<Void>(.get("nowhere")))
            Issue.record("The request to an unknown path did not throw.")
        } catch let error as NetworkError {
            switch error.code {
            case .rejected: #expect(error.status == .notFound)
            default: Issue.record(error)
            }
            #expect(error.body == Data(#""nobody here""#.utf8))
        }
    }
}
