import CampusModels
import GRDB

extension Seed {
    /// The products of the campus shop.
    static let products = [
        Product(
            id: "notes",
            title: "Notes on the Analytical Engine",
            description: "The translation, and the notes that grew longer than what they were written on.",
            price: Price(cents: 1850)
        ),
        Product(
            id: "cards",
            title: "Punched Cards, 100",
            description: "Blank, of stiff board. Bring your own holes.",
            price: Price(cents: 495)
        ),
        Product(
            id: "pencils",
            title: "Drawing Pencils, 12",
            description: "From 6H to 6B, and one that nobody sharpens.",
            price: Price(cents: 1200)
        ),
        Product(
            id: "nanosecond",
            title: "A Nanosecond",
            description: "Thirty centimetres of wire: as far as light gets in one.",
            price: Price(cents: 100)
        ),
    ]

    static func insert(_ product: Product, into db: Database) throws {
        try db.execute(
            sql: "INSERT INTO product (id, title, description, priceInCents) VALUES (?, ?, ?, ?)",
            arguments: [product.id.rawValue, product.title, product.description, product.price.cents]
        )
    }
}
