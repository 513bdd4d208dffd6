/// A product of the campus shop, visible without a sign-in.
public struct Product: Codable, Hashable, Sendable, Identifiable {
    /// The ID of a product, which also occurs in deep links.
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
    /// The title to show.
    public let title: String
    /// The description, in one or two sentences.
    public let description: String
    /// The price.
    public let price: Price

    /// Creates a product, as in the API.
    public init(id: ID, title: String, description: String, price: Price) {
        self.id = id
        self.title = title
        self.description = description
        self.price = price
    }
}
