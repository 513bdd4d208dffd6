import BackplaneFeatures
import CampusModels

/// The products that were seen in a window, each with a loader of its own: one that is opened again is there at once.
final class ProductShelf {
    private let load: Action<Void, Product.ID, Product>.Async
    private var products: [Product.ID: Loader<Product.ID, Product>] = [:]

    init(load: @escaping Action<Void, Product.ID, Product>.Async) {
        self.load = load
    }

    /// The loader of a product, which has begun to load, or to bring what it has up to date.
    func product(_ id: Product.ID, on owner: any Actor) -> Loader<Product.ID, Product> {
        let load = load
        let product = products[id] ?? Loader { try await load((), $0) }
        products[id] = product
        product.load(id, on: owner)
        return product
    }
}
