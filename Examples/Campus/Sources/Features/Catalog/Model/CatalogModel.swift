public import BackplaneFeatures
public import CampusModels
import CatalogInterface
public import Observation
public import Screens

/// The products of the campus shop, one of which the user can open.
@Observable
public final class CatalogModel: Screen {
    /// The deep link of the catalog.
    public let path = Catalog.path
    /// All products, with their prices.
    public let products: Loader<NoID, [Product]>
    private let onOpen: (Product.ID) -> Void

    /// Creates a catalog that loads nothing yet.
    ///
    /// - Parameters:
    ///   - loadProducts: loads all products.
    ///   - onOpen: opens a product.
    public init(loadProducts: @escaping () async throws -> [Product], onOpen: @escaping (Product.ID) -> Void) {
        products = Loader(loadProducts)
        self.onOpen = onOpen
    }

    /// Whether the products are loading.
    public var isBusy: Bool { products.state.isLoading }

    /// Loads the products on `owner`, the actor that the caller is running on.
    public func load(on owner: any Actor) {
        products.load(on: owner)
    }

    /// Opens a product.
    public func open(_ product: Product.ID) {
        onOpen(product)
    }
}
