public import Backplane
import BackplaneNavigation
public import BackplaneNetworking
import BackplaneStorage
import CampusAssembly
import CampusDrafts
public import CampusModels
public import Foundation
import LoginInterface
public import TerminalHost
public import WebHost

/// Campus with its hosts: the assembly, and the faces of a browser and a terminal.
public enum CampusApp {
    /// Returns the app for a web host, with the API at `api`.
    ///
    /// - Parameters:
    ///   - api: the root of the API's URLs.
    ///   - transport: the transport to the API.
    ///   - key: the key with which the app names the addresses of its clients to the API; without
    ///     it, the API limits the sign-ins of all clients together.
    ///   - tokens: the file for tokens, so that sign-ins outlive the process; without it they do
    ///     not.
    ///   - drafts: the file for drafts, so that they outlive the process; it may be the same file.
    ///   - outbox: the file for changes that the API has not confirmed, so that they outlive the
    ///     process; it must be a file of its own.
    ///   - eventLogs: the directory for an event log of each window; no logs by default.
    ///   - observe: called with a log line for each request to the API, for each storage problem,
    ///     and for each analytics event.
    /// - Returns: the app.
    /// - Throws: `NetworkError` if `api` is not a valid base URL; `StorageError` if the file for
    ///   changes cannot be used.
    public static func webApp(
        api: URL,
        over transport: any NetworkTransport,
        key: AppKey? = nil,
        tokens: URL? = nil,
        drafts: URL? = nil,
        outbox: URL? = nil,
        eventLogs: EventLogDirectory? = nil,
        observe: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> WebApp<some Sendable> {
        let service = try service(at: api, over: transport, observe: observe)
        let tokens = tokens.map { SessionTokens(file: $0) }
        let drafts = DraftStore(file: drafts)
        let outbox = try outbox.map { try Outbox.campus(file: $0) }
        return WebApp(
            name: "Campus",
            faces: webFaces,
            makeScope: { control -> (session: CampusSession, control: SessionControl) in
                let vault: any TokenVault = tokens?.vault(of: control.id.rawValue) ?? MemoryTokenVault()
                let forwarded = { @Sendable () async -> ForwardedClient? in
                    guard let key, let address = await control.clientAddress else { return nil }
                    return ForwardedClient(address: address, key: key)
                }
                let session = CampusSession(
                    service: service,
                    vault: vault,
                    client: control.client,
                    forwarded: forwarded,
                    outbox: outbox,
                    device: control.id.rawValue,
                    log: observe
                )
                return (session: session, control: control)
            },
            forgetScope: { scope in await scope.session.end() },
            assemble: { motherboard, navigator, scope, window in
                eventLogs?.record(motherboard, problem: observe)
                CampusModules(
                    navigator: navigator,
                    service: scope.session,
                    drafts: drafts,
                    onSignIn: { await scope.control.renew(from: window) },
                    onAnalyticsEvent: { observe("\($0)") }
                )
                .install(on: motherboard)
            },
            prepare: { motherboard, scope in await CampusModules.enterSession(of: scope.session, on: motherboard) },
            finishStoring: { scope in await scope.session.finishSaving() },
            check: { try await outbox?.checkSaving() }
        )
    }

    /// Returns the app in a terminal, with the API at `api`.
    ///
    /// - Parameters:
    ///   - api: the root of the API's URLs.
    ///   - transport: the transport to the API.
    /// - Returns: a terminal without any open screen.
    /// - Throws: `NetworkError` if `api` is not a valid base URL.
    public static func terminal(api: URL, over transport: any NetworkTransport) throws -> Terminal {
        terminal(service: CampusSession(service: try service(at: api, over: transport)))
    }

    /// Returns the boards of the app with their flows and gates, for a signed-in user.
    public static func graph() async -> BoardGraph {
        await terminal(service: CannedService()).withMotherboard { motherboard in
            motherboard.activate(Session.id, with: CannedAccount())
            return motherboard.graph()
        }
    }

    private static func terminal(service: any CampusService) -> Terminal {
        Terminal(faces: terminalFaces) { motherboard, navigator, _ in
            CampusModules(navigator: navigator, service: service).install(on: motherboard)
        }
    }

    static func service(
        at api: URL,
        over transport: any NetworkTransport,
        clock: any Clock<Duration> = ContinuousClock(),
        observe: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> NonAuthenticatedNetworkController {
        try NonAuthenticatedNetworkController(
            api: api,
            over: transport,
            clock: clock,
            observe: observe
        )
    }
}
