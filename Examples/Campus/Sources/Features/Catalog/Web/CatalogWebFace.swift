import BackplaneFeatures
import CampusModels
public import CatalogModels
import ProductInterface
import Screens
public import WebHost

/// The products of the campus shop in a browser.
public struct CatalogWebFace: WebFace {
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
}
