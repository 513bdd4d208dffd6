import BackplaneFeatures
import CampusModels

/// The products that a window has shown, each with its own loader, so that they reopen at once.
final class ProductShelf {
    private let load: Action<Void, Product.ID, Product>.Async
    private var products: [Product.ID: Loader<Product.ID, Product>] = [:]

    init(load: @escaping Action<Void, Product.ID, Product>.Async) {
        self.load = load
    }

    /// Returns the loader of a product, after it has started to load or to reload the product.
    func product(_ id: Product.ID, on owner: any Actor) -> Loader<Product.ID, Product> {
        let load = load
        let product = products[id] ?? Loader { try await load((), $0) }
        products[id] = product
        product.load(id, on: owner)
        return product
    }
}
