public import Backplane
public import CampusModels

/// One product of the campus shop, for anybody to see, of which it needs to be told only the ID.
public enum ProductPage: BoardContract {
    /// Which product.
    public typealias Input = Product.ID
    /// The beginning of a message about the product.
    public typealias Output = String
}

extension BoardID<ProductPage> {
    /// The product board, which shows one product after another.
    public static var product: Self { "product" }
}

// What a deep link carries is all that the board needs.
extension Product.ID: LinkParameter {}
