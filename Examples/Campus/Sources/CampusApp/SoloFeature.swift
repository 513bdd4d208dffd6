import Backplane
import CampusAccounts
public import CampusModels
import CatalogInterface
import ComposerInterface
import CourseInterface
import DashboardInterface
public import Foundation
import LoginInterface
import ProductInterface
import Screens
import SettingsInterface
public import TerminalHost

/// A feature of Campus by itself: its module alone on a motherboard, with no flow and no other feature around it.
public struct SoloFeature: Sendable {
    /// The feature's name on the command line.
    public let name: String

    /// What it is activated with unless one says otherwise; nil for a feature that needs no input.
    public let id: String?

    private let needsAccount: Bool
    private let install: @Sendable (Motherboard, CampusModules, (any Account)?) -> Void
    private let activate: @Sendable (Motherboard, String) -> Void

    /// A public feature.
    private init<Contract>(
        _ board: BoardID<Contract>,
        id: String? = nil,
        module: @escaping @Sendable (CampusModules) -> any BoardModule,
        input: @escaping @Sendable (String) -> Contract.Input
    ) {
        name = board.name
        self.id = id
        needsAccount = false
        install = { motherboard, modules, _ in motherboard.install(module(modules)) }
        activate = { motherboard, id in motherboard.activate(board, with: input(id)) }
    }

    /// A feature for signed-in users.
    private init<Contract>(
        _ board: BoardID<Contract>,
        id: String? = nil,
        signedIn module: @escaping @Sendable (AccountModules) -> any BoardModule,
        input: @escaping @Sendable (String) -> Contract.Input
    ) {
        name = board.name
        self.id = id
        needsAccount = true
        install = { motherboard, modules, account in
            if let account { motherboard.install(module(modules.modules(for: account))) }
        }
        activate = { motherboard, id in motherboard.activate(board, with: input(id)) }
    }

    /// The features that show something.
    public static let all = [
        SoloFeature(.catalog, module: { $0.catalog }, input: { _ in }),
        SoloFeature(.composer, signedIn: { $0.composer }, input: { $0 }),
        SoloFeature(.course, id: "abc123", signedIn: { $0.course }, input: Course.ID.init(rawValue:)),
        SoloFeature(.dashboard, signedIn: { $0.dashboard }, input: { _ in }),
        SoloFeature(.login, module: { $0.login }, input: { _ in }),
        SoloFeature(.product, id: "cards", module: { $0.product }, input: Product.ID.init(rawValue:)),
        SoloFeature(.settings, signedIn: { $0.settings }, input: { _ in }),
    ]

    /// Runs the feature in a terminal of its own.
    ///
    /// - Parameters:
    ///   - id: what to activate it with, in place of ``id``.
    ///   - api: the root of the URLs of the API that answers it; without one it gets canned data, and nothing is asked of
    ///     any network.
    ///   - login: whom to log in at the API first.
    /// - Returns: the terminal, in which the feature has been activated.
    /// - Throws: `NetworkError` when `api` cannot be used, `DisplayError` when it refuses the log-in, or
    ///   when the feature is for users only and `login` is nil.
    public func run(with id: String? = nil, api: URL? = nil, as login: LoginRequest? = nil) async throws -> Terminal {
        let service = try api.map { CampusSession(service: try CampusApp.service(at: $0)) }
        var account: (any Account)? = service == nil && needsAccount ? CannedAccount() : nil
        if let service, let login { account = try await service.logIn(with: login, onEntry: {}) }
        if needsAccount, account == nil {
            throw DisplayError("The feature '\(name)' is for users only: log in with --email and --password.")
        }
        let terminal = Terminal { [account] motherboard, navigation, _ in
            let modules = CampusModules(navigation: navigation, service: service ?? CannedService())
            install(motherboard, modules, account)
        }
        let input = id ?? self.id ?? ""
        await terminal.withMotherboard { motherboard in activate(motherboard, input) }
        return terminal
    }
}
