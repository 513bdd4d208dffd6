public import Backplane
import BackplaneAsyncHTTPClient
import BackplaneNetworking
import CampusDrafts
import CampusNetworking
public import Foundation
public import TerminalHost
public import WebHost

/// Campus put together: the one place that knows every feature, the network and the hosts.
public enum CampusApp {
    /// The app for a web host, talking to the API at `api`.
    ///
    /// - Parameters:
    ///   - api: the root of the API's URLs.
    ///   - tokens: the file that keeps log-ins beyond the process; without one they end with it.
    ///   - drafts: the file that keeps drafts beyond the process, which may be the same; without one they end with it.
    ///   - eventLogs: where what happens in each window is written down; nowhere unless stated.
    ///   - observe: told of every exchange with the API, as a line for a log.
    /// - Returns: the app.
    /// - Throws: `NetworkError` when `api` cannot be used.
    public static func webApp(
        api: URL,
        tokens: URL? = nil,
        drafts: URL? = nil,
        eventLogs: EventLogDirectory? = nil,
        observe: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> WebApp<some Sendable> {
        let service = try service(at: api, observe: observe)
        let tokens = tokens.map { SessionTokens(file: $0) }
        let drafts = DraftStore(file: drafts)
        return WebApp(
            name: "Campus",
            templates: templates,
            makeScope: { control in
                let vault: any TokenVault = tokens?.vault(of: control.id.rawValue) ?? MemoryTokenVault()
                let session = CampusSession(service: service, vault: vault, client: control.client, log: observe) {
                    await control.end(saying: expiry)
                }
                return (session: session, control: control)
            },
            forgetScope: { scope in await scope.session.forget() },
            assemble: { motherboard, navigation, scope, window in
                eventLogs?.record(motherboard, problem: observe)
                let host = CampusModules.Host(
                    didLogIn: { await scope.control.renew(from: window) },
                    didLogOut: { await scope.control.end() },
                    didExpire: { await scope.control.end(saying: expiry) },
                    notice: scope.control.farewell
                )
                assemble(
                    motherboard,
                    CampusModules(navigation: navigation, backend: scope.session, host: host, drafts: drafts)
                )
            }
        )
    }

    /// The app in a terminal, talking to the API at `api`.
    ///
    /// - Parameter api: the root of the API's URLs.
    /// - Returns: a terminal with nothing open yet.
    /// - Throws: `NetworkError` when `api` cannot be used.
    public static func terminal(api: URL) throws -> Terminal {
        let session = CampusSession(service: try service(at: api))
        return terminal(backend: session, assemble: assemble)
    }

    /// The boards of the app, and the flows and gates between them.
    public static func graph() async -> BoardGraph {
        let terminal = terminal(backend: CannedBackend(), assemble: assemble)
        return await terminal.withMotherboard { $0.graph() }
    }

    /// A terminal with what `assemble` makes of the modules; one person sits there, so a log-in changes no identity.
    static func terminal(
        backend: any CampusBackend,
        assemble: @escaping @Sendable (Motherboard, CampusModules) -> Void
    ) -> Terminal {
        Terminal { motherboard, navigation, end in
            let host = CampusModules.Host(didLogIn: {}, didLogOut: end, didExpire: end)
            assemble(motherboard, CampusModules(navigation: navigation, backend: backend, host: host))
        }
    }

    /// What is said to somebody who was logged in until the server ended it.
    private static let expiry = """
        You have been logged out: the session was ended from elsewhere, or not used for too long. Log in again to go on.
        """

    static func service(
        at api: URL,
        observe: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> NonAuthenticatedNetworkController {
        var options = NetworkOptions()
        options.timeout = .seconds(10)
        options.observe = { observe($0.description) }
        return try NonAuthenticatedNetworkController(
            baseURL: api,
            transport: AsyncHTTPClientTransport(),
            options: options
        )
    }
}
