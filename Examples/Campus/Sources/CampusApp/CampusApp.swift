public import Backplane
import BackplaneAsyncHTTPClient
import BackplaneNetworking
import CampusDrafts
import CampusNetworking
public import Foundation
import LoginInterface
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
                let session = CampusSession(service: service, vault: vault, client: control.client, log: observe)
                return (session: session, control: control)
            },
            forgetScope: { scope in await scope.session.forget() },
            assemble: { motherboard, navigation, scope, window in
                eventLogs?.record(motherboard, problem: observe)
                CampusModules(navigation: navigation, service: scope.session, drafts: drafts) {
                    await scope.control.renew(from: window)
                }
                .install(on: motherboard)
            },
            prepare: { motherboard, scope in
                guard let account = await scope.session.account(), !motherboard.isLive(.session) else { return }
                motherboard.activate(.session, with: account)
            }
        )
    }

    /// The app in a terminal, talking to the API at `api`.
    ///
    /// - Parameter api: the root of the API's URLs.
    /// - Returns: a terminal with nothing open yet.
    /// - Throws: `NetworkError` when `api` cannot be used.
    public static func terminal(api: URL) throws -> Terminal {
        terminal(service: CampusSession(service: try service(at: api)))
    }

    /// The boards of the app, and the flows and gates between them, as they are while a user is logged in.
    public static func graph() async -> BoardGraph {
        await terminal(service: CannedService()).withMotherboard { motherboard in
            motherboard.activate(.session, with: CannedAccount())
            return motherboard.graph()
        }
    }

    private static func terminal(service: any CampusService) -> Terminal {
        Terminal { motherboard, navigation, _ in
            CampusModules(navigation: navigation, service: service).install(on: motherboard)
        }
    }

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
