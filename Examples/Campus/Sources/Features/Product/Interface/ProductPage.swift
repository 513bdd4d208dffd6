public import Backplane
public import CampusModels

/// One product of the campus shop, visible to every user without a sign-in.
public enum ProductPage: BoardContract {
    /// The ID of the product.
    public typealias Input = Product.ID
    /// The beginning of a message about the product.
    public typealias Output = String
    /// The ID of the board.
    public static let id: BoardID<Self> = "product"
    /// The deep link of a product.
    public static let link: LinkTemplate = "/product/{id}"

    /// Returns the path of the deep link of a product.
    public static func path(of product: Product.ID) -> String { "/product/\(product.pathSegment)" }
}

// The ID in a deep link is all the input that the board needs.
extension Product.ID: LinkParameter {}
