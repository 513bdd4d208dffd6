public import Backplane
import BackplaneFeatures
public import BackplaneNavigation
public import CampusModels
import CatalogInterface
import CatalogModels
import DashboardInterface
public import Screens

/// The catalog feature.
public struct CatalogModule: BoardModule {
    let navigator: ScreenNavigator
    let loadProducts: () async throws -> [Product]

    /// Creates the feature.
    ///
    /// - Parameters:
    ///   - navigator: the navigator that shows the screen.
    ///   - loadProducts: loads all products.
    public init(navigator: ScreenNavigator, loadProducts: @escaping () async throws -> [Product]) {
        self.navigator = navigator
        self.loadProducts = loadProducts
    }

    /// Registers the catalog board and its link, and adds it to the bar and the dashboard.
    public func register(on motherboard: Motherboard) {
        motherboard.register(reuse: .perActivation) { slot in CatalogBoard(slot: slot, module: self) }
        motherboard.registerLink("catalog", to: Catalog.id)
        motherboard.contribute(to: .barEntries, order: 20) { BarEntry("Campus shop", path: Catalog.path) }
        motherboard.contribute(to: .dashboardTiles, order: 20) {
            Tile("Campus shop", path: Catalog.path, text: "Everything you need for your courses.")
        }
    }
}

/// The board of the catalog screen, which completes when its screen closes.
private struct CatalogBoard: Board {
    let slot: Slot<Catalog>
    let module: CatalogModule

    func activate(with input: Void) {
        let screen = CatalogModel(loadProducts: module.loadProducts, onOpen: slot.send)
        screen.products.load(on: slot.owner)
        pair(with: module.navigator.push(screen))
    }
}
