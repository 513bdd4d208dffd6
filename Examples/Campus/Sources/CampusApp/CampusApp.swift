import Backplane
import BackplaneNetworking
import CampusNetworking
public import Foundation
public import WebHost

/// Campus put together: the one place that knows every feature, the network and the host.
public enum CampusApp {
    /// The app for a web host, talking to the API at `api`.
    ///
    /// - Parameters:
    ///   - api: the root of the API's URLs.
    ///   - observe: told of every exchange with the API, as a line for a log.
    /// - Returns: the app.
    /// - Throws: `NetworkError` when `api` cannot be used.
    public static func webApp(
        api: URL,
        observe: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> WebApp<some Sendable> {
        var options = NetworkOptions()
        options.timeout = .seconds(10)
        options.observe = { observe($0.description) }
        let service = try NonAuthenticatedNetworkController(baseURL: api, options: options)
        return WebApp(
            name: "Campus",
            templates: templates,
            makeScope: { CampusSession(service: service, control: $0) },
            assemble: assemble
        )
    }
}
