package import BackplaneNetworking
package import CampusModels
import CampusNetworking
package import Foundation

extension NonAuthenticatedNetworkController {
    /// Creates a controller of the API.
    ///
    /// - Parameters:
    ///   - api: the root of the API's URLs.
    ///   - transport: the transport that sends the requests.
    ///   - clock: the clock that measures the time limits of requests and the age of tokens.
    ///   - observe: called with a log line for each request.
    /// - Throws: `NetworkError` if `api` is not a valid base URL.
    package init(
        api: URL,
        over transport: any NetworkTransport,
        clock: any Clock<Duration> = ContinuousClock(),
        observe: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        var options = NetworkOptions()
        options.timeout = .seconds(10)
        options.clock = clock
        options.observe = { observe($0.description) }
        try self.init(baseURL: api, transport: transport, options: options)
    }

    /// Loads the catalog into the cache, so that the shop opens at once; for code without `async`.
    ///
    /// After a failure, the shop loads the catalog itself.
    ///
    /// - Parameters:
    ///   - isolation: the actor that calls the handler; keep the default.
    ///   - handler: receives the products.
    package func preloadCatalog(
        isolation: isolated any Actor = #isolation,
        then handler: @escaping NetworkResultHandler<[Product]> = { _ in }
    ) {
        request(.catalog, isolation: isolation, then: handler)
    }
}
