public import Backplane
public import BackplaneFeatures
public import CampusModels
import ProductInterface

/// The product feature inside the session: buying, and favourites.
public struct ShoppingModule: BoardModule {
    /// Buys a product.
    public typealias Purchase = (Product.ID) async throws -> CampusModels.Purchase
    /// Tells the server whether a product is a favourite.
    public typealias SetFavourite = (Product.ID, Bool) async throws -> Void

    private let favourites: ProductScreen.Favourites
    private let purchase: Purchase
    private let setFavourite: SetFavourite

    /// The feature.
    ///
    /// - Parameters:
    ///   - favourites: the user's favourites, which every product shows its part of.
    ///   - purchase: buys a product, for the user.
    ///   - setFavourite: tells the server of a change of the favourites.
    public init(
        favourites: ProductScreen.Favourites,
        purchase: @escaping Purchase,
        setFavourite: @escaping SetFavourite
    ) {
        self.favourites = favourites
        self.purchase = purchase
        self.setFavourite = setFavourite
    }

    /// Registers both boards, and contributes the favourites to what products show.
    public func register(on motherboard: Motherboard) {
        // Not capture lists: a closure with one would not run on the window's actor.
        let (favourites, purchase, setFavourite) = (favourites, purchase, setFavourite)
        motherboard.registerTask(.purchase) { product, _ in try await purchase(product) }
        motherboard.registerTask(.favourite) { change, _ in
            try await favourites.mutate(Self.mutation(for: change, setFavourite))
            return change.product
        }
        motherboard.contribute(to: .favourites) { favourites }
    }

    private static func mutation(
        for change: FavouriteChange,
        _ setFavourite: @escaping SetFavourite
    ) -> Mutation<Set<Product.ID>> {
        Mutation(label: change.product.rawValue) { favourites in
            if change.isFavourite {
                favourites.insert(change.product)
            } else {
                favourites.remove(change.product)
            }
        } send: { _ in
            // No key is needed: carried out twice, it comes to the same.
            try await setFavourite(change.product, change.isFavourite)
        }
    }
}

extension ContributionPoint<ProductScreen.Favourites> {
    /// The favourites of the signed-in user; at most one value.
    static var favourites: Self { "favourites" }
}
