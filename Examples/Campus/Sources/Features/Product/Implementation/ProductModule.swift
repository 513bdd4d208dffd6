public import Backplane
public import CampusModels
import ProductInterface
public import Screens

/// The public part of the product feature; ``ShoppingModule`` is the part inside the session.
public struct ProductModule: BoardModule {
    private let navigation: Navigation
    private let actions: ProductScreen.Actions
    private let isForSale: Bool

    /// Creates the feature.
    ///
    /// - Parameters:
    ///   - navigation: the navigation that shows the screens; loaded products are kept until its
    ///     window closes.
    ///   - actions: the actions behind the buttons. The screen shows an error that `purchase`
    ///     throws; the message of a ``DisplayError`` is shown as it is.
    public init(navigation: Navigation, actions: ProductScreen.Actions) {
        self.navigation = navigation
        self.actions = actions
        isForSale = true
    }

    /// Creates the feature with products that users can read but not buy.
    ///
    /// - Parameters:
    ///   - navigation: the navigation that shows the screens; loaded products are kept until its
    ///     window closes.
    ///   - loadProduct: loads a product.
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
