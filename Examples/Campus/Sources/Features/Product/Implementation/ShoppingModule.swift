public import Backplane
public import BackplaneFeatures
public import CampusModels
import LoginInterface
import ProductInterface
public import ProductModels
import Screens

/// The part of the product feature inside the session, for purchases and favorites.
public struct ShoppingModule: BoardModule {
    /// A closure that buys a product, and returns when the server has confirmed the purchase.
    public typealias Purchase = (Product.ID) async throws -> CampusModels.Purchase

    private let favorites: ProductModel.Favorites
    private let purchase: Purchase
    private let pending: (any PendingPurchases)?

    /// Creates the feature.
    ///
    /// - Parameters:
    ///   - favorites: the user's favorites, which all product screens share; their store sends each
    ///     `FavoriteChange` to the server.
    ///   - purchase: buys a product for the user.
    ///   - pending: the purchases that continue without a screen; `nil` if purchases end with the
    ///     app.
    public init(
        favorites: ProductModel.Favorites,
        purchase: @escaping Purchase,
        pending: (any PendingPurchases)? = nil
    ) {
        self.favorites = favorites
        self.purchase = purchase
        self.pending = pending
    }

    /// Registers both boards, with a gate in front of purchases, and contributes to the product
    /// screens.
    public func register(on motherboard: Motherboard) {
        // These are not capture lists: a closure with one would not run on the window's actor.
        let (favorites, purchase) = (favorites, purchase)
        motherboard.registerTask(Purchasing.id) { product, _ in try await purchase(product.id) }
        // Beside the board, so that no assembly forgets it: without a password board, it denies.
        motherboard.gate(
            Purchasing.id,
            by: PasswordCheck.id,
            asking: { product in product.price.cents > 1500 ? "\(product.title) costs \(product.price)." : nil },
            verdict: { .open }
        )
        motherboard.registerTask(Favouring.id) { change, _ in
            favorites.dismissRejected(favorites.pending(of: change.product))
            try favorites.enqueue(change, label: change.product.rawValue)
            return change.product
        }
        motherboard.contribute(to: .favorites) { favorites }
        if let pending { motherboard.contribute(to: .pendingPurchases) { pending } }
    }
}

extension ContributionPoint<ProductModel.Favorites> {
    /// The favorites of the signed-in user; at most one value.
    static var favorites: Self { "favorites" }
}

extension ContributionPoint<any PendingPurchases> {
    /// The purchases of the signed-in user that are on their way; at most one value.
    static var pendingPurchases: Self { "pendingPurchases" }
}
