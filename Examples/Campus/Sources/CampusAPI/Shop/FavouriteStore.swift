import CampusModels
import GRDB

/// Keeps which products each user likes.
struct FavouriteStore: Sendable {
    let pool: DatabasePool
    let catalogue: CatalogueStore

    /// The favourites of `user`, in the order of their identities.
    func favourites(of user: User.ID) async throws -> [Product.ID] {
        try await pool.read { db in
            try String.fetchAll(
                db,
                sql: "SELECT productID FROM favourite WHERE userID = ? ORDER BY productID",
                arguments: [user.rawValue]
            ).map(Product.ID.init(rawValue:))
        }
    }

    /// Makes a product a favourite of `user`, or takes that back; either may be so already.
    ///
    /// - Throws: 404 when there is no such product.
    func set(_ product: Product.ID, isFavourite: Bool, of user: User.ID) async throws {
        let statement =
            isFavourite
            ? "INSERT OR IGNORE INTO favourite (userID, productID) VALUES (?, ?)"
            : "DELETE FROM favourite WHERE userID = ? AND productID = ?"
        try await pool.write { db in
            let product = try catalogue.product(product, in: db)
            try db.execute(sql: statement, arguments: [user.rawValue, product.id.rawValue])
        }
    }
}
