public import Backplane
public import CampusModels
import CatalogueInterface
import DashboardInterface
public import Screens

/// The catalogue feature.
public struct CatalogueModule: BoardModule {
    private let navigation: Navigation
    private let loadProducts: () async throws -> [Product]

    /// The feature.
    ///
    /// - Parameters:
    ///   - navigation: where the screen is shown.
    ///   - loadProducts: brings every product there is.
    public init(navigation: Navigation, loadProducts: @escaping () async throws -> [Product]) {
        self.navigation = navigation
        self.loadProducts = loadProducts
    }

    /// Registers the catalogue board and its link, and adds it to the bar and the dashboard.
    public func register(on motherboard: Motherboard) {
        motherboard.register(.catalogue, reuse: .perActivation) { slot in
            CatalogueBoard(slot: slot, navigation: navigation, loadProducts: loadProducts)
        }
        motherboard.registerLink("catalogue", to: .catalogue)
        motherboard.contribute(to: .barEntries, order: 20) { BarEntry("Campus shop", path: "/catalogue") }
        motherboard.contribute(to: .dashboardTiles, order: 20) {
            Tile("Campus shop", path: "/catalogue", text: "What you need for your courses.")
        }
    }
}

/// The catalogue on the screen; it ends when its screen leaves.
private struct CatalogueBoard: Board {
    let slot: Slot<Catalogue>
    let navigation: Navigation
    let loadProducts: () async throws -> [Product]

    func activate(with input: Void) {
        let screen = CatalogueScreen(loadProducts: loadProducts, onOpen: slot.send)
        screen.load(on: slot.owner)
        pair(with: navigation.push(screen))
    }
}
