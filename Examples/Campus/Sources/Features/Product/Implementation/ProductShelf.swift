import BackplaneFeatures
import CampusModels

/// The products that were seen in a window, each with a loader of its own: one that is opened again is there at once.
final class ProductShelf {
    private let loadProduct: (Product.ID) async throws -> Product
    private var products: [Product.ID: Loader<Product.ID, Product>] = [:]

    init(loadProduct: @escaping (Product.ID) async throws -> Product) {
        self.loadProduct = loadProduct
    }

    /// The loader of a product, which has begun to load, or to bring what it has up to date.
    func product(_ id: Product.ID, on owner: any Actor) -> Loader<Product.ID, Product> {
        let product = products[id] ?? Loader(loadProduct)
        products[id] = product
        product.load(id, on: owner)
        return product
    }
}
