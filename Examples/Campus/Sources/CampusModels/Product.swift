/// Something the campus shop has, which anybody may see.
public struct Product: Codable, Hashable, Sendable, Identifiable {
    /// What identifies a product; it is also what a deep link carries.
    public struct ID: StringIdentifier {
        /// The identity as it is written.
        public let rawValue: String

        /// The identity written as `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// What identifies this product.
    public let id: ID
    /// The title to show.
    public let title: String
    /// What it is, in a sentence or two.
    public let description: String
    /// What it costs.
    public let price: Price

    /// A product as the API knows it.
    public init(id: ID, title: String, description: String, price: Price) {
        self.id = id
        self.title = title
        self.description = description
        self.price = price
    }
}
