import BackplaneFeatures
import CampusModels
public import CatalogModels
import Screens
public import TerminalHost

/// The products of the campus shop in a terminal.
public struct CatalogTerminalFace: TerminalFace {
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
}
