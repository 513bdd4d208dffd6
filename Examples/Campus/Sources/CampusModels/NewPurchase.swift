/// The body of `POST /purchases`.
public struct NewPurchase: Codable, Hashable, Sendable {
    /// What to buy.
    public let product: Product.ID

    /// A purchase of `product`.
    public init(product: Product.ID) {
        self.product = product
    }
}
