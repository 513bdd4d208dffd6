public import CampusModels

/// What a product's actions may do to the place where they are performed.
///
/// It lives on the window's actor, as the screen does.
public protocol ProductContext: AnyObject {
    /// The deep link that leads here, as a path.
    var path: String { get }

    /// Shows a link that can be copied and passed on.
    ///
    /// - Parameters:
    ///   - link: the link.
    ///   - title: what it leads to.
    func show(link: String, to title: String)

    /// Returns when somebody is logged in: at once if somebody is, and otherwise when they have been asked.
    ///
    /// Where nobody can be asked it returns too; the server will say whether it lets them.
    ///
    /// - Throws: `CancellationError` when the person turns back, which an action lets pass.
    func logIn() async throws
}

/// What somebody who looks at a product decides about it.
public struct FavouriteChange: Hashable, Sendable {
    /// The product.
    public let product: Product.ID
    /// Whether it is to be a favourite, whatever it was.
    public let isFavourite: Bool

    /// A change to that.
    public init(_ product: Product.ID, isFavourite: Bool) {
        self.product = product
        self.isFavourite = isFavourite
    }
}
