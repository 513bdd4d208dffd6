public import Backplane
public import CampusModels
import ProductInterface
public import Screens

/// The public part of the product feature; ``ShoppingModule`` is the part inside the session.
public struct ProductModule: BoardModule {
    private let navigation: Navigation
    private let actions: ProductScreen.Actions
    private let isForSale: Bool

    /// The feature.
    ///
    /// - Parameters:
    ///   - navigation: where the screens are shown; what was loaded is kept for as long as its window.
    ///   - actions: what is done when a button is pressed; what `purchase` throws is shown beside it, in the words of a
    ///     ``DisplayError`` if it is one.
    public init(navigation: Navigation, actions: ProductScreen.Actions) {
        self.navigation = navigation
        self.actions = actions
        isForSale = true
    }

    /// The feature with products that can only be looked at.
    ///
    /// - Parameters:
    ///   - navigation: where the screens are shown; what was loaded is kept for as long as its window.
    ///   - loadProduct: brings a product.
    public init(navigation: Navigation, loadProduct: @escaping (Product.ID) async throws -> Product) {
        self.navigation = navigation
        isForSale = false
        actions = (
            load: { _, id in try await loadProduct(id) },
            purchase: { _, _ in throw CancellationError() },
            favorite: { _, _ in },
            share: { _, _ in }
        )
    }

    /// Registers the product board and its link.
    public func register(on motherboard: Motherboard) {
        motherboard.register(.product) { slot in
            ProductBoard(slot: slot, navigation: navigation, actions: actions, isForSale: isForSale)
        }
        motherboard.registerLink("product/{id}", to: .product)
    }
}
