import CampusModels
import GRDB

/// Reads what the campus shop has, which is the same for everybody.
struct CatalogStore: Sendable {
    let pool: DatabasePool

    /// Every product there is, by title.
    func products() async throws -> [Product] {
        try await pool.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM product ORDER BY title").map(Self.product)
        }
    }

    /// The product `id`.
    ///
    /// - Throws: 404 when there is none.
    func product(_ id: Product.ID) async throws -> Product {
        try await pool.read { db in try product(id, in: db) }
    }

    /// The product `id`, for what else is done in the same transaction.
    ///
    /// - Throws: 404 when there is none.
    func product(_ id: Product.ID, in db: Database) throws -> Product {
        let row = try Row.fetchOne(db, sql: "SELECT * FROM product WHERE id = ?", arguments: [id.rawValue])
        guard let row else { throw APIFailure.noSuchProduct(id) }
        return Self.product(row)
    }

    private static func product(_ row: Row) -> Product {
        Product(
            id: Product.ID(rawValue: row["id"]),
            title: row["title"],
            description: row["description"],
            price: Price(cents: row["priceInCents"])
        )
    }
}
