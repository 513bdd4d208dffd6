import BackplaneNetworking
import BackplaneTesting
import HTTPTypes

extension NetworkStub {
    func service(
        _ configure: (inout NetworkOptions) -> Void = { _ in }
    ) throws -> NonAuthenticatedNetworkController {
        var options = NetworkOptions()
        configure(&options)
        return try NonAuthenticatedNetworkController(baseURL: baseURL, transport: self, options: options)
    }

    func account(
        tokens: NetworkTokens = .named("access-0"),
        _ configure: (inout NetworkOptions) -> Void = { _ in }
    ) throws -> AuthenticatedNetworkController {
        AuthenticatedNetworkController(over: try service(configure), tokens: tokens) { .refresh($0) }
    }
}

extension NonAuthenticatedEndpoint<Void> {
    static func visit(_ method: HTTPRequest.Method = .get) -> Self { Self(EndpointRequest(method: method, path: "x")) }
}
