/// Something that a user has bought.
public struct Purchase: Codable, Hashable, Sendable, Identifiable {
    /// What identifies a purchase.
    public struct ID: StringIdentifier {
        /// The identity as it is written.
        public let rawValue: String

        /// The identity written as `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// What identifies this purchase.
    public let id: ID
    /// What was bought.
    public let product: Product.ID
    /// What it cost then.
    public let price: Price

    /// A purchase as the API knows it.
    public init(id: ID, product: Product.ID, price: Price) {
        self.id = id
        self.product = product
        self.price = price
    }
}
