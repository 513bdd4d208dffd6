public import Backplane
public import BackplaneFeatures
public import CampusModels
import ProductInterface
public import ProductModels

/// The part of the product feature inside the session, for purchases and favorites.
public struct ShoppingModule: BoardModule {
    /// A closure that buys a product.
    public typealias Purchase = (Product.ID) async throws -> CampusModels.Purchase
    /// A closure that tells the server whether a product is a favorite.
    public typealias SetFavorite = (Product.ID, Bool) async throws -> Void

    private let favorites: ProductModel.Favorites
    private let purchase: Purchase
    private let setFavorite: SetFavorite

    /// Creates the feature.
    ///
    /// - Parameters:
    ///   - favorites: the user's favorites, which all product screens share.
    ///   - purchase: buys a product for the user.
    ///   - setFavorite: sends a change of the favorites to the server.
    public init(
        favorites: ProductModel.Favorites,
        purchase: @escaping Purchase,
        setFavorite: @escaping SetFavorite
    ) {
        self.favorites = favorites
        self.purchase = purchase
        self.setFavorite = setFavorite
    }

    /// Registers both boards, and contributes the favorites to the product screens.
    public func register(on motherboard: Motherboard) {
        // These are not capture lists: a closure with one would not run on the window's actor.
        let (favorites, purchase, setFavorite) = (favorites, purchase, setFavorite)
        motherboard.registerTask(.purchase) { product, _ in try await purchase(product) }
        motherboard.registerTask(.favorite) { change, _ in
            try favorites.enqueue(Self.mutation(for: change, setFavorite))
            return change.product
        }
        motherboard.contribute(to: .favorites) { favorites }
    }

    private static func mutation(
        for change: FavoriteChange,
        _ setFavorite: @escaping SetFavorite
    ) -> Mutation<Set<Product.ID>> {
        .setMembership(of: change.product, to: change.isFavorite) { _ in
            // No key is needed, because a repeated request has the same effect.
            try await setFavorite(change.product, change.isFavorite)
        }
    }
}

extension ContributionPoint<ProductModel.Favorites> {
    /// The favorites of the signed-in user; at most one value.
    static var favorites: Self { "favorites" }
}
