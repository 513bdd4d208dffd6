public import CampusModels
public import ProductInterface

/// A product's screen as its actions see it: they use it to buy, to share and to change favorites.
///
/// It lives on the window's actor, like the screen.
public protocol ProductContext: AnyObject {
    /// The deep link of the product, as a path.
    var path: String { get }

    /// Shows a link that the user can copy and share.
    ///
    /// - Parameters:
    ///   - link: the link.
    ///   - title: the title of the page that the link opens.
    func show(link: String, to title: String)

    /// Buys the product; a user who is not signed in sees the login form first.
    ///
    /// - Throws: `CancellationError` if the user leaves the form, which an action ignores;
    ///   otherwise the server's error.
    func purchase(_ product: Product.ID) async throws -> Purchase

    /// Changes a favorite; a user who is not signed in sees the login form first.
    ///
    /// - Throws: the same errors as ``purchase(_:)``.
    func make(_ change: FavoriteChange) async throws
}
