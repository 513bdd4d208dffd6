import BackplaneNetworking
import BackplaneTesting

extension NetworkStub {
    /// Creates a controller for this server.
    func service(
        _ configure: (inout NetworkOptions) -> Void = { _ in }
    ) throws -> NonAuthenticatedNetworkController {
        var options = NetworkOptions()
        configure(&options)
        return try NonAuthenticatedNetworkController(baseURL: baseURL, transport: self, options: options)
    }
}
