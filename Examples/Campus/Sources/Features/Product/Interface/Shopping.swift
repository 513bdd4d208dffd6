public import Backplane
public import CampusModels

/// A purchase of one product by the signed-in user.
public enum Purchasing: BoardContract {
    /// The product, with the price that the user has seen.
    public typealias Input = Product
    /// The purchase, as the server confirmed it.
    public typealias Output = Purchase
    /// The ID of the board.
    public static let id: BoardID<Self> = "purchase"
}

/// A change of the signed-in user's favorites.
public enum Favouring: BoardContract {
    /// The change.
    public typealias Input = FavoriteChange
    /// The ID of the product, as soon as the change is visible; it is sent to the server then.
    public typealias Output = Product.ID
    /// The ID of the board.
    public static let id: BoardID<Self> = "favorite"
}

/// A user's decision whether a product is a favorite.
public struct FavoriteChange: Codable, Hashable, Sendable {
    /// The ID of the product.
    public let product: Product.ID
    /// Whether the product is a favorite after the change.
    public let isFavorite: Bool

    /// Creates a change of this product.
    public init(_ product: Product.ID, isFavorite: Bool) {
        self.product = product
        self.isFavorite = isFavorite
    }
}
