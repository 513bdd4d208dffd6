public import CampusModels

/// The purchases of the signed-in user that are on their way to the server, also those that the user
/// made before the app was started.
///
/// It belongs to the window's actor.
public protocol PendingPurchases: AnyObject {
    /// Returns when the user bought a product; `nil` if no purchase of it is on its way; observable.
    func date(of product: Product.ID) -> Timestamp?
}
