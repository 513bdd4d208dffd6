import CampusModels
import GRDB

/// A store of each user's favorite products.
struct FavoriteStore: Sendable {
    let pool: DatabasePool
    let catalog: CatalogStore

    /// Returns the favorites of `user`, ordered by ID.
    func favorites(of user: User.ID) async throws -> [Product.ID] {
        try pool.readHere { db in
            try String.fetchAll(
                db,
                sql: "SELECT productID FROM favorite WHERE userID = ? ORDER BY productID",
                arguments: [user.rawValue]
            ).map(Product.ID.init(rawValue:))
        }
    }

    /// Adds a product to the favorites of `user`, or removes it; repeating a call changes nothing.
    ///
    /// - Throws: status 404 if there is no such product.
    func set(_ product: Product.ID, isFavorite: Bool, of user: User.ID) async throws {
        let statement =
            isFavorite
            ? "INSERT OR IGNORE INTO favorite (userID, productID) VALUES (?, ?)"
            : "DELETE FROM favorite WHERE userID = ? AND productID = ?"
        try await pool.write { db in
            let product = try catalog.product(product, in: db)
            try db.execute(sql: statement, arguments: [user.rawValue, product.id.rawValue])
        }
    }
}
