public import Backplane
public import CampusModels
import ProductInterface
public import Screens

/// The product feature.
public struct ProductModule: BoardModule {
    private let navigation: Navigation
    private let loadProduct: (Product.ID) async throws -> Product

    /// The feature.
    ///
    /// - Parameters:
    ///   - navigation: where the screens are shown; what was loaded is kept for as long as its window.
    ///   - loadProduct: brings a product.
    public init(navigation: Navigation, loadProduct: @escaping (Product.ID) async throws -> Product) {
        self.navigation = navigation
        self.loadProduct = loadProduct
    }

    /// Registers the product board and its link.
    public func register(on motherboard: Motherboard) {
        motherboard.register(.product) { slot in
            ProductBoard(slot: slot, navigation: navigation, loadProduct: loadProduct)
        }
        motherboard.registerLink("product/{id}", to: .product)
    }
}

/// Shows products; its component keeps those that were seen, for the life of the window.
private final class ProductBoard: Board {
    let slot: Slot<ProductPage>
    private let navigation: Navigation
    /// The window keeps it.
    private weak var shelf: ProductShelf?

    init(slot: Slot<ProductPage>, navigation: Navigation, loadProduct: @escaping (Product.ID) async throws -> Product) {
        self.slot = slot
        self.navigation = navigation
        let shelf = ProductShelf(loadProduct: loadProduct)
        self.shelf = shelf
        slot.keep(shelf, for: navigation)
    }

    func activate(with id: Product.ID) {
        guard let shelf else { return }
        navigation.push(ProductScreen(id: id, product: shelf.product(id, on: slot.owner)))
    }
}
