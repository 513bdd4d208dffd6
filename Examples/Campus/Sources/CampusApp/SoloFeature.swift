import Backplane
public import CampusModels
import CatalogueInterface
import ComposerInterface
import CourseInterface
import DashboardInterface
public import Foundation
import LoginInterface
import ProductInterface
import SettingsInterface
public import TerminalHost

/// A feature of Campus by itself: its module alone on a motherboard, with no flow and no other feature around it.
public struct SoloFeature: Sendable {
    /// The feature's name on the command line.
    public let name: String

    /// What it is activated with unless one says otherwise; nil for a feature that needs no input.
    public let id: String?

    private let install: @Sendable (Motherboard, CampusModules) -> Void
    private let activate: @Sendable (Motherboard, String) -> Void

    private init<Contract>(
        _ board: BoardID<Contract>,
        id: String? = nil,
        module: @escaping @Sendable (CampusModules) -> any BoardModule,
        input: @escaping @Sendable (String) -> Contract.Input
    ) {
        name = board.name
        self.id = id
        install = { motherboard, modules in motherboard.install(module(modules)) }
        activate = { motherboard, id in motherboard.activate(board, with: input(id)) }
    }

    private init<Contract>(
        _ board: BoardID<Contract>,
        module: @escaping @Sendable (CampusModules) -> any BoardModule
    ) where Contract.Input == Void {
        self.init(board, id: nil, module: module) { _ in }
    }

    /// The features that show something.
    public static let all = [
        SoloFeature(.catalogue) { $0.catalogue },
        SoloFeature(.composer) { $0.composer },
        SoloFeature(.course, id: "abc123", module: { $0.course }, input: Course.ID.init(rawValue:)),
        SoloFeature(.dashboard, id: "ada", module: { $0.dashboard }, input: User.ID.init(rawValue:)),
        SoloFeature(.login) { $0.login },
        SoloFeature(.product, id: "cards", module: { $0.product }, input: Product.ID.init(rawValue:)),
        SoloFeature(.settings) { $0.settings },
    ]

    /// Runs the feature in a terminal of its own.
    ///
    /// - Parameters:
    ///   - id: what to activate it with, in place of ``id``.
    ///   - api: the root of the URLs of the API that answers it; without one it gets canned data, and nothing is asked of
    ///     any network.
    ///   - login: whom to log in at the API first.
    /// - Returns: the terminal, in which the feature has been activated.
    /// - Throws: `NetworkError` when `api` cannot be used, `DisplayError` when it refuses the log-in.
    public func run(with id: String? = nil, api: URL? = nil, as login: LoginRequest? = nil) async throws -> Terminal {
        let terminal = CampusApp.terminal(backend: try await backend(api: api, login: login), assemble: install)
        let input = id ?? self.id ?? ""
        await terminal.withMotherboard { motherboard in activate(motherboard, input) }
        return terminal
    }

    private func backend(api: URL?, login: LoginRequest?) async throws -> any CampusBackend {
        guard let api else { return CannedBackend() }
        let session = CampusSession(service: try CampusApp.service(at: api))
        if let login { _ = try await session.logIn(with: login, onEntry: {}, onExpiry: {}) }
        return session
    }
}
