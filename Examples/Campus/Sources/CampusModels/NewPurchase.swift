/// The body of `POST /purchases`.
public struct NewPurchase: Codable, Hashable, Sendable {
    /// The product to buy.
    public let product: Product.ID

    /// Creates a purchase of `product`.
    public init(product: Product.ID) {
        self.product = product
    }
}
