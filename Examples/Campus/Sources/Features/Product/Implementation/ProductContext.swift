public import CampusModels
public import ProductInterface

/// The place where a product's actions are performed, and what they may do to it.
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

    /// Buys the product; a user who is not logged in sees the login form first.
    ///
    /// - Throws: `CancellationError` when the user leaves the form, which an action ignores; the server's error otherwise.
    func purchase(_ product: Product.ID) async throws -> Purchase

    /// Changes a favorite; a user who is not logged in sees the login form first.
    ///
    /// - Throws: as ``purchase(_:)``.
    func make(_ change: FavoriteChange) async throws
}
