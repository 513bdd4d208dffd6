public import CampusModels
public import ProductInterface

/// The board of a product's screen.
public protocol ProductDelegate: AnyObject {
    /// Lets the user write a message about a product.
    func ask(about title: String)

    /// Buys a product; a user who is not signed in sees the login form first.
    ///
    /// - Throws: `CancellationError` if the user leaves the form; otherwise the server's error.
    func purchase(_ product: Product.ID) async throws -> Purchase

    /// Changes a favorite; a user who is not signed in sees the login form first.
    ///
    /// - Throws: the same errors as ``purchase(_:)``.
    func make(_ change: FavoriteChange) async throws
}
