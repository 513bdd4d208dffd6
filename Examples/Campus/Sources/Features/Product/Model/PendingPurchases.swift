public import CampusModels

/// The purchases of the signed-in user that are on their way to the server.
///
/// They may be from before the start of the app.
///
/// It belongs to the window's actor.
public protocol PendingPurchases: AnyObject {
    /// Returns when the user bought a product; observable.
    ///
    /// - Parameter product: the product.
    /// - Returns: the time; `nil` if no purchase of the product is on its way.
    func date(of product: Product.ID) -> Timestamp?

    /// Returns the number under which the product can be bought next; observable.
    ///
    /// All purchases under one number are one purchase.
    ///
    /// - Parameter product: the product.
    /// - Returns: the number.
    func order(of product: Product.ID) -> String
}
