import Backplane
import BackplaneNavigation
public import BackplaneNetworking
import CampusAccounts
import CampusAssembly
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

/// A single feature of Campus: only its module on a motherboard, without flows and other features.
public struct SoloFeature: Sendable {
    /// The feature's name on the command line.
    public let name: String

    /// The default input of the feature; `nil` for a feature that needs no input.
    public let id: String?

    private let needsAccount: Bool
    private let install: @Sendable (Motherboard, CampusModules, (any Account)?) -> Void
    private let activate: @Sendable (Motherboard, String) -> Void

    /// Creates a public feature.
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

    /// Creates a feature for signed-in users; other features would send it the command.
    private init<Contract>(
        _ board: BoardID<Contract>,
        id: String? = nil,
        signedIn module: @escaping @Sendable (AccountModules) -> any BoardModule,
        input: @escaping @Sendable (String) -> Contract.Input,
        command: @escaping @Sendable () -> Contract.Command? = { nil }
    ) {
        name = board.name
        self.id = id
        needsAccount = true
        install = { motherboard, modules, account in
            if let account { motherboard.install(module(modules.modules(for: account))) }
        }
        activate = { motherboard, id in
            let activation = motherboard.activate(board, with: input(id))
            if let command = command() { activation.send(command) }
        }
    }

    /// All features that have a screen.
    public static let all = [
        SoloFeature(Catalog.id, module: { $0.catalog }, input: { _ in }),
        SoloFeature(Composer.id, signedIn: { $0.composer }, input: { $0 }),
        SoloFeature(CoursePage.id, id: "abc123", signedIn: { $0.course }, input: Course.ID.init(rawValue:)),
        SoloFeature(
            Dashboard.id,
            signedIn: { $0.dashboard },
            input: { _ in },
            // Otherwise it would wait for them.
            command: { .failWeek("Other features count the week.") }
        ),
        SoloFeature(Login.id, module: { $0.login }, input: { _ in }),
        SoloFeature(ProductPage.id, id: "cards", module: { $0.product }, input: Product.ID.init(rawValue:)),
        SoloFeature(Settings.id, signedIn: { $0.settings }, input: { _ in }),
    ]

    /// Runs the feature in its own terminal.
    ///
    /// - Parameters:
    ///   - id: the input of the feature, instead of ``id``.
    ///   - api: the root of the URLs of the API; without it, the feature gets fixed data and uses
    ///     no network.
    ///   - transport: the transport to the API.
    ///   - login: the user to sign in at the API first.
    /// - Returns: the terminal with the activated feature.
    /// - Throws: `NetworkError` if `api` is not a valid base URL. Another `LocalizedError` if the
    ///   API refuses the sign-in, or if the feature is for users only and `login` is `nil`.
    public func run(
        with id: String? = nil,
        api: URL? = nil,
        over transport: any NetworkTransport,
        as login: LoginRequest? = nil
    ) async throws -> Terminal {
        let service = try api.map { CampusSession(service: try CampusApp.service(at: $0, over: transport)) }
        var account: (any Account)? = service == nil && needsAccount ? CannedAccount() : nil
        if let service, let login { account = try await service.signIn(with: login, onEntry: {}) }
        if needsAccount, account == nil {
            throw DisplayError("The feature '\(name)' is for users only: sign in with --email and --password.")
        }
        let terminal = Terminal(faces: CampusApp.terminalFaces) { [account] motherboard, navigator, _ in
            let modules = CampusModules(navigator: navigator, service: service ?? CannedService())
            install(motherboard, modules, account)
        }
        let input = id ?? self.id ?? ""
        await terminal.withMotherboard { motherboard in activate(motherboard, input) }
        return terminal
    }
}
