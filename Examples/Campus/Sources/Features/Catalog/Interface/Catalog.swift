public import Backplane
public import CampusModels

/// The products of the campus shop, visible to every user without a sign-in.
public enum Catalog: BoardContract {
    /// The product that the user opens.
    public typealias Output = Product.ID
    /// The path of the catalog's deep link.
    public static let path = "/catalog"
}
