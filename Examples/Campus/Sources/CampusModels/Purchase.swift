/// A product that a user has bought.
public struct Purchase: Codable, Hashable, Sendable, Identifiable {
    /// The ID of a purchase.
    public struct ID: StringIdentifier {
        /// The ID as text.
        public let rawValue: String

        /// Creates the ID with the text `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The ID.
    public let id: ID
    /// The product.
    public let product: Product.ID
    /// The price at the time of the purchase.
    public let price: Price

    /// Creates a purchase, as in the API.
    public init(id: ID, product: Product.ID, price: Price) {
        self.id = id
        self.product = product
        self.price = price
    }
}
