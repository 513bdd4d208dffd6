import BackplaneFeatures
import CampusModels
public import CatalogModels
import ProductInterface
public import Screens
public import WebHost

/// The products of the campus shop in a browser.
public struct CatalogWebFace: WebFace {
    /// The events of the page.
    public enum Event: String, CaseIterable {
        /// Opens the product in the field `product`.
        case open
        /// Loads the products again after a failure.
        case retry
    }

    struct ProductModel: Sendable {
        let id: String
        let path: String
        let title: String
        let price: String
    }

    /// The template of the list.
    public let templates = ["catalog": WebTemplate(PackageResources.catalog_mustache)]

    /// Creates the face.
    public init() {}

    /// The title of the page.
    public func title(of catalog: CatalogModel) -> String { "Campus shop" }

    /// One section with the products.
    public func sections(of catalog: CatalogModel) -> [Section] {
        [
            Section(id: "products", template: "catalog", loader: catalog.products) { products in
                products.map { product in
                    ProductModel(
                        id: product.id.rawValue,
                        path: ProductPage.path(of: product.id),
                        title: product.title,
                        price: "\(product.price)"
                    )
                }
            }
        ]
    }

    /// Opens a product, or loads the products again.
    public func handle(_ event: Event, _ form: EventFields, on catalog: CatalogModel) {
        switch event {
        case .open: if let product = form.value("product", as: Product.ID.self) { catalog.open(product) }
        case .retry: catalog.products.retry()
        }
    }
}
