import CampusModels
import GRDB

/// Keeps which products each user likes.
struct FavoriteStore: Sendable {
    let pool: DatabasePool
    let catalog: CatalogStore

    /// The favorites of `user`, in the order of their identities.
    func favorites(of user: User.ID) async throws -> [Product.ID] {
        try await pool.read { db in
            try String.fetchAll(
                db,
                sql: "SELECT productID FROM favorite WHERE userID = ? ORDER BY productID",
                arguments: [user.rawValue]
            ).map(Product.ID.init(rawValue:))
        }
    }

    /// Makes a product a favorite of `user`, or takes that back; either may be so already.
    ///
    /// - Throws: 404 when there is no such product.
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
