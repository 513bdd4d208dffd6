import BackplaneFeatures
import CampusModels
import Observation
import Screens

/// A screen with all products and their prices.
@Observable
final class CatalogScreen: Screen {
    struct ProductModel: Sendable {
        let id: String
        let title: String
        let price: String
    }

    let title = "Campus shop"
    let path = "/catalog"
    private let products: Loader<Sole, [Product]>
    private let onOpen: (Product.ID) -> Void

    init(loadProducts: @escaping () async throws -> [Product], onOpen: @escaping (Product.ID) -> Void) {
        products = Loader(loadProducts)
        self.onOpen = onOpen
    }

    var isBusy: Bool { products.state.isLoading }

    var sections: [Section] {
        [
            Section(id: "products", template: "catalog", loader: products) { products in
                products.map { ProductModel(id: $0.id.rawValue, title: $0.title, price: "\($0.price)") }
            }
        ]
    }

    func load(on owner: any Actor) {
        products.load(.sole, on: owner)
    }

    func handle(_ event: ScreenEvent) {
        switch event.name {
        case "open": if let id = event["product"] { onOpen(Product.ID(rawValue: id)) }
        case "retry": products.retry()
        default: break
        }
    }
}
