public import BackplaneFeatures
public import CampusModels
import CatalogInterface
public import Observation
public import Screens

/// The products of the campus shop, one of which the user can open.
@Observable
public final class CatalogModel: EventScreen {
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

    /// Opens a product.
    public func open(_ product: Product.ID) {
        onOpen(product)
    }
}

extension CatalogModel {
    /// The actions of the user, by the names that forms and commands have.
    public enum Event: String, CaseIterable {
        /// Opens the product in the field `product`.
        case open
        /// Loads the products again after a failure.
        case retry
    }

    /// Performs an action of the user; fields that are missing or malformed change nothing.
    public func perform(_ event: Event, _ fields: EventFields) {
        switch event {
        case .open: if let product = fields.value("product", as: Product.ID.self) { open(product) }
        case .retry: products.retry()
        }
    }
}
