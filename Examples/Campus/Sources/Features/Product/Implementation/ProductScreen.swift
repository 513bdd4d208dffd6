import BackplaneFeatures
import CampusModels
import Foundation
import Observation
import Screens

/// One product.
@Observable
final class ProductScreen: Screen {
    struct Model: Sendable {
        let description: String
        let price: String
    }

    private let id: Product.ID
    private let product: Loader<Product.ID, Product>

    init(id: Product.ID, product: Loader<Product.ID, Product>) {
        self.id = id
        self.product = product
    }

    var title: String { product.value?.title ?? "Product" }
    var path: String { "/product/" + (id.rawValue.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "") }
    var isBusy: Bool { product.state.isLoading }

    var sections: [Section] {
        [
            Section(id: "product", template: "product", loader: product) {
                Model(description: $0.description, price: "\($0.price)")
            }
        ]
    }

    func handle(_ event: ScreenEvent) {
        if event.name == "retry" { product.retry() }
    }
}
