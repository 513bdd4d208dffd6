import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes

/// A transport that is a closure.
struct InlineTransport: NetworkTransport {
    let handle: @Sendable (HTTPRequest, Data?) async throws -> (HTTPResponse, Data)

    init(handle: @escaping @Sendable (HTTPRequest, Data?) async throws -> (HTTPResponse, Data)) {
        self.handle = handle
    }

    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        try await handle(request, body)
    }
}

extension NetworkTransport {
    func service(
        _ configure: (inout NetworkOptions) -> Void = { _ in }
    ) throws -> NonAuthenticatedNetworkController {
        var options = NetworkOptions()
        configure(&options)
        guard let url = URL(string: "https://api.example.com") else { throw URLError(.badURL) }
        return try NonAuthenticatedNetworkController(baseURL: url, transport: self, options: options)
    }

    func account(
        tokens: NetworkTokens = .named("access-0"),
        _ configure: (inout NetworkOptions) -> Void = { _ in }
    ) throws -> AuthenticatedNetworkController {
        try service(configure).account(tokens: tokens)
    }
}

extension NonAuthenticatedEndpoint<Void> {
    static func visit(_ method: HTTPRequest.Method = .get) -> Self { Self(EndpointRequest(method: method, path: "x")) }
}
