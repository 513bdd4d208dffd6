public import Backplane
public import CampusModels

/// The products of the campus shop, visible to every user without a sign-in.
public enum Catalog: BoardContract {
    /// The product that the user opens.
    public typealias Output = Product.ID
    /// The deep link of the catalog.
    public static let link: LinkTemplate = "/catalog"
}
