public import Backplane
public import CampusModels

/// Buys a product, for the signed-in user.
public enum Purchasing: BoardContract {
    /// Which product.
    public typealias Input = Product.ID
    /// The purchase, as the server confirmed it.
    public typealias Output = Purchase
}

extension BoardID<Purchasing> {
    /// Buys a product.
    public static var purchase: Self { "purchase" }
}

/// Makes a product a favorite of the signed-in user, or removes it.
public enum Favouring: BoardContract {
    /// The change.
    public typealias Input = FavoriteChange
    /// The product, when the server has confirmed the change.
    public typealias Output = Product.ID
}

extension BoardID<Favouring> {
    /// Changes whether a product is a favorite.
    public static var favorite: Self { "favorite" }
}

/// A user's decision about a product.
public struct FavoriteChange: Codable, Hashable, Sendable {
    /// The product.
    public let product: Product.ID
    /// Whether it is to be a favorite, whatever it was.
    public let isFavorite: Bool

    /// A change to that.
    public init(_ product: Product.ID, isFavorite: Bool) {
        self.product = product
        self.isFavorite = isFavorite
    }
}
