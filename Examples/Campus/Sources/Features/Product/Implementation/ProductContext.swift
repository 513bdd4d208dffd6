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

    /// Buys the product for whoever is logged in; somebody who is not is asked to log in first.
    ///
    /// - Throws: `CancellationError` when the person does not log in, which an action lets pass; otherwise what the server
    ///   said.
    func purchase(_ product: Product.ID) async throws -> Purchase

    /// Changes a favourite of whoever is logged in; somebody who is not is asked to log in first.
    ///
    /// - Throws: as ``purchase(_:)``.
    func make(_ change: FavouriteChange) async throws
}
