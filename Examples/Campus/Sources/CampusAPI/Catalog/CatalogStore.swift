import CampusModels
import GRDB

/// A store of the campus shop's products, which are the same for all users.
struct CatalogStore: Sendable {
    let pool: DatabasePool

    /// Returns all products, by title.
    func products() async throws -> [Product] {
        try pool.readHere { db in
            try Row.fetchAll(db, sql: "SELECT * FROM product ORDER BY title").map(Self.product)
        }
    }

    /// Returns the product with this ID.
    ///
    /// - Throws: status 404 if there is none.
    func product(_ id: Product.ID) async throws -> Product {
        try pool.readHere { db in try product(id, in: db) }
    }

    /// Returns the product with this ID, within a transaction.
    ///
    /// - Throws: status 404 if there is none.
    func product(_ id: Product.ID, in db: Database) throws -> Product {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM product WHERE id = ?"),
            arguments: [id.rawValue]
        )
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
