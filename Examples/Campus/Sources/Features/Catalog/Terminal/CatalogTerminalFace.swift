import BackplaneFeatures
import CampusModels
public import CatalogModels
public import Screens
public import TerminalHost

/// The products of the campus shop in a terminal.
public struct CatalogTerminalFace: TerminalFace {
    /// The commands of the list.
    public enum Command: String, CaseIterable {
        /// Takes the argument `product`, the ID of a product.
        case open
        /// Loads the products again after a failure.
        case retry
    }

    /// Creates the face.
    public init() {}

    /// The title of the list.
    public func title(of catalog: CatalogModel) -> String { "Campus shop" }

    /// The ID, the title and the price of each product.
    public func sections(of catalog: CatalogModel) -> [TextSection] {
        [
            TextSection("products", catalog.products) { products in
                TextSection.list(products) { "\($0.id) · \($0.title) · \($0.price)" }
            }
        ]
    }

    /// Opens a product, or loads the products again.
    public func handle(_ command: Command, _ arguments: EventFields, on catalog: CatalogModel) {
        switch command {
        case .open: if let product = arguments.value("product", as: Product.ID.self) { catalog.open(product) }
        case .retry: catalog.products.retry()
        }
    }
}
