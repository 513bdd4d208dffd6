public import Backplane
public import CampusModels
import CatalogInterface
import DashboardInterface
public import Screens

/// The catalog feature.
public struct CatalogModule: BoardModule {
    private let navigation: Navigation
    private let loadProducts: () async throws -> [Product]

    /// Creates the feature.
    ///
    /// - Parameters:
    ///   - navigation: the navigation that shows the screen.
    ///   - loadProducts: loads all products.
    public init(navigation: Navigation, loadProducts: @escaping () async throws -> [Product]) {
        self.navigation = navigation
        self.loadProducts = loadProducts
    }

    /// Registers the catalog board and its link, and adds it to the bar and the dashboard.
    public func register(on motherboard: Motherboard) {
        motherboard.register(.catalog, reuse: .perActivation) { slot in
            CatalogBoard(slot: slot, navigation: navigation, loadProducts: loadProducts)
        }
        motherboard.registerLink("catalog", to: .catalog)
        motherboard.contribute(to: .barEntries, order: 20) { BarEntry("Campus shop", path: "/catalog") }
        motherboard.contribute(to: .dashboardTiles, order: 20) {
            Tile("Campus shop", path: "/catalog", text: "Everything you need for your courses.")
        }
    }
}

/// The board of the catalog screen, which completes when its screen closes.
private struct CatalogBoard: Board {
    let slot: Slot<Catalog>
    let navigation: Navigation
    let loadProducts: () async throws -> [Product]

    func activate(with input: Void) {
        let screen = CatalogScreen(loadProducts: loadProducts, onOpen: slot.send)
        screen.load(on: slot.owner)
        pair(with: navigation.push(screen))
    }
}
